// What only its author may do: buttons with data-author show to that person, and all of them to an administrator. A
// convenience for the eye; the service decides. One rule instead of a look at every row, for rows come and go.

import { useLayoutEffect } from "react";

export function Own({ author, all }) {
  useLayoutEffect(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(`[data-author${all ? "" : `="${Number(author)}"`}] { display: inline-flex }`);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((other) => other !== sheet);
    };
  }, [author, all]);
  return null;
}
