// The two ways out of this document, in one place.

export const pageLoad = {
  to(address) { location.assign(address); },
  again() { location.reload(); },
};
