// An iframe that plays is not loaded again for another query of the same address (the second to start at, say, which a
// server that has been restarted names anew); another path is another video.

import { createElement, useRef } from "react";

const pathOf = (src) => String(src).split("?")[0];

export function Frame(props) {
  const address = useRef(props.src);
  if (pathOf(address.current) !== pathOf(props.src)) address.current = props.src;
  return createElement("iframe", { ...props, src: address.current });
}
