// Names in the client's sources that every browser with import maps has and never refuses. Some are names of the client's
// own data that a browser interface has too. The last four lines are used by the search and comparisons, where push is, and in its service worker.
// A newer interface, or one that a browser may refuse, goes into browser-apis.json.

export const KNOWN = `
  AbortSignal Array Boolean CSSStyleSheet CustomEvent Date Error Event FormData Infinity JSON Map Math Number OPEN Object Promise Set
  String TextDecoder URL URLSearchParams Uint8Array WeakMap _reactpy_ack_seq abs action activeElement add addEventListener added adoptedStyleSheets
  after all altKey append arrayBuffer arrivals askYes assign at attributes autocomplete back before body boundingClientRect button
  call cancel catch changed checked childElementCount childNodes children classList className clearInterval clearTimeout click
  clientHeight clientTop clientX clientY cloneNode closest confirm console contains contentDocument contentWindow
  counter create createElement credential ctrlKey current currentTarget data dataset dateTime datetime
  decode decodeURIComponent defaultChecked defaultPrevented defaultSelected defaultValue delete detail disabled disconnect
  dispatchEvent do document documentElement drop element elements empty encode encodeURIComponent end endBusy endsWith
  entries error event every exec filename files fill fills filter find findIndex first firstChild flat flatMap floating floor focus
  forEach form format forms from fromEntries gap get getAll getAttribute getBoundingClientRect getClientRects getData
  getElementById getItem getPrototypeOf getRangeAt getSelection getTime getTimezoneOffset go gone has hasAttribute hash head headers hidden
  href hydrated hydrationError id importSource includes indeterminate indexOf info innerHTML innerHeight intersectsNode into
  isArray isCollapsed isComposing isConnected isInteger isIntersecting isNaN isPrimary join json kept key keys kind lang
  last lastIndexOf length lineno location map marks match matches max maxLength mean message metaKey method min missing module
  moveFocus moved multiple name named namedItem needs nodeType none normalize now observe of offline offsetHeight ok
  older onNavigate onclose onerror onload onmessage onopen open options origin overflowY padStart pageEvent parentElement parentNode parse
  parseCreationOptionsFromJSON parseRequestOptionsFromJSON part passkey pathname pause performance persisted pointerId
  pointerType pop postMessage posting prepend presence preventDefault previousElementSibling protocol push querySelector querySelectorAll
  queueMicrotask random range react readyState reason reduce ref reject rel reload remove removeAttribute
  removeEventListener removeItem removed replace replaceAll replaceSync reset resolvedOptions resolve restored returnValue reverse root round row rows saved
  scrollHeight scrollTop scrollX scrollY search searchParams selected selectedOptions send set setAttribute setCustomValidity setInterval setItem
  setProperty setSelectionRange setTimeout shiftKey size slice sliding some sort sound source splice split src stands
  stage stamp start startOver startsWith state status step stopPropagation stringify style styles submit tabIndex tagName take target test
  text textContent then timeStamp timeout title toDateString toFixed toLowerCase toString toTimeString toUpperCase
  toggle toggleAttribute token tooLong top totals transform trim type types unchanged undefined unpress unsentTimer url value values
  vanish version visibilityState wait warn window write x y z
  bottom minBlockSize
  atob auth charCodeAt getRegistration getSubscription p256dh permission ready register registration requestPermission
  requestSubmit standalone subscribe toJSON unsubscribe
  AbortController abort attached less list more next nextElementSibling novideo only other play rate replaceChildren signal sounds together
  clients matchAll notification openWindow self showNotification skipWaiting waitUntil
`.trim().split(/\s+/);
