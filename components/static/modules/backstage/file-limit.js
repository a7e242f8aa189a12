// Refuses a file above the limit as soon as it is chosen, in the file field with the id `field`: before it is sent.

import { createElement as h, useEffect, useState } from "react";

export function FileLimit({ field, most, words }) {
  const [isLarge, setLarge] = useState(false);
  useEffect(() => {
    const input = document.getElementById(field);
    function check() {
      const large = (input.files[0]?.size ?? 0) > most;
      input.setCustomValidity(large ? words : "");
      setLarge(large);
    }
    input.addEventListener("change", check);
    check(); // a file that was chosen before the script came
    return () => input.removeEventListener("change", check);
  }, [field, most, words]);
  return isLarge ? h("p", { className: "field__error drop__error", role: "alert" }, words) : null;
}
