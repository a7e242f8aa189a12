// Styles: the policy blocks them in HTML, so an element has none until it has hydrated; React then sets it through the
// CSSOM, which no policy forbids, and follows its changes.

import { useMemo, useSyncExternalStore } from "react";

const never = () => () => {};

export function Styled({ model, given, svg, paint }) {
  const isHydrated = useSyncExternalStore(never, () => true, () => false);
  return useMemo(() => {
    const { style, ...attributes } = model.attributes;
    return paint(isHydrated ? model : { ...model, attributes }, given, svg);
  }, [model, given, isHydrated]);
}
