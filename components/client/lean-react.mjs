// React without the functions that no page reaches: an eighth of the bundle. The version of React is exact; the build fails
// if one of these functions is missing. A web module that uses a removed function fails with an error message.
// (build.mjs; tests/client/lean-react.test.js)

import { readFileSync } from "node:fs";

const REFUSE = 'throw Error("left out of this React: lean-react.mjs");';
const EMPTY = { // function -> its replacement
  // <title>, <meta>, <link rel="stylesheet" precedence> that React moves into the head: no component renders them
  isHostHoistableType: "return !1;", getResource: "return null;", acquireResource: "", preload: "", preloadModule: "",
  preinitScript: "", preinitModuleScript: "", preinitStyle: "", preconnectAs: "", prefetchDNS: "", preconnect: "",
  suspendResource: "", accumulateSuspenseyCommitOnFiber: "", estimateBandwidth: "", insertStylesheet: "",
  insertStylesheetIntoRoot: "", preloadStylesheet: "", adoptPreloadPropsForStylesheet: "", adoptPreloadPropsForScript: "",
  getHydratableHoistableCache: "", mountHoistable: "",
  // <form action={function}> and its hooks: the forms of this site post
  extractEvents$1: "", mountActionState: REFUSE, updateActionState: "", rerenderActionState: "", updateActionStateImpl: "",
  runActionStateAction: "", dispatchActionState: "", actionStateActionEffect: "", startHostTransition: "",
  requestFormReset$1: "", ensureFormComponentIsStateful: "",
  // <html>, <head> and <body>, which are outside the root
  resolveSingletonInstance: "return null;", isSingletonScope: "return !1;",
  // <Activity>, <SuspenseList>, explicit hydration targets, the browser's indicator of a long transition
  updateSuspenseListComponent: REFUSE, updateActivityComponent: REFUSE, findFirstSuspended: "return null;",
  attemptExplicitHydrationTarget: "", defaultOnDefaultTransitionIndicator: "",
  // names and stacks of components, for developer tools: they are empty in production
  describeNativeComponentFrame: 'return "";', describeFiber: 'return "";', getStackByFiberInDevAndProd: 'return "";',
  findCurrentFiberUsingSlowPath: "return null;", getComponentNameFromType: "return null;",
};
const HINTS = "preconnect prefetchDNS preinit preinitModule preload preloadModule".split(" "); // of react-dom: exports.js exports none

/** Property names that only React's own objects have: the build shortens them to one letter. */
export const INTERNAL = new RegExp(`^(${`
  baseLanes baseQueue baseState blockedOn cachePool callbackNode callbackPriority cancelPendingCommit childLanes containerInfo
  dehydrated deletions domEventName eagerState elementType entangledLanes entanglements errorRecoveryDisabledLanes
  eventSystemFlags expirationTime expirationTimes expiredLanes firstBaseUpdate firstContext hasEagerState hiddenUpdates
  hydrationErrors isBackwards lastBaseUpdate lastRenderedReducer lastRenderedState memoizedProps memoizedState pendingContext
  pendingLanes pendingProps pingCache pingedLanes pooledCache priorityLevel queuedFocus refCleanup renderingStartTime retryLane
  retryQueue revertLane shellSuspendCounter sortIndex stateNode subtreeFlags suspendedLanes tailMode targetContainers
  timeoutHandle treeContext updateQueue warmLanes wasHidden`.trim().split(/\s+/).join("|")})$`);

function emptied(code, head, body, end) {
  const at = code.indexOf(`\n${head}`);
  if (at < 0) throw new Error(`React has no "${head}" any more: see lean-react.mjs`);
  const opening = code.indexOf(") {", at) + 3;
  return code.slice(0, opening) + body + code.slice(code.indexOf(`\n${end}`, opening));
}

/** Return the source of React's DOM renderer without the functions in EMPTY. */
export const leanRenderer = (code) =>
  Object.entries(EMPTY).reduce((text, [name, body]) => emptied(text, `function ${name}(`, body, "}"), code);
const leanDom = (code) => HINTS.reduce((text, name) => emptied(text, `exports.${name} = function (`, "", "};"), code);

const FILES = { // import -> React's file, and the function that changes it
  react: ["react/cjs/react.production.js"], "react/jsx-runtime": ["react/cjs/react-jsx-runtime.production.js"],
  scheduler: ["scheduler/cjs/scheduler.production.js"], "react-dom": ["react-dom/cjs/react-dom.production.js", leanDom],
  "react-dom/client": ["react-dom/cjs/react-dom-client.production.js", leanRenderer],
};

/** Convert one of React's files to a module. Its functions are at the top level, where a browser parses them only once. */
function asModule(code) {
  const imports = [...code.matchAll(/(\w+) = require\("([\w-]+)"\)/g)].map(([, name, from]) => `import * as ${name} from "${from}";`);
  const names = [...new Set([...code.matchAll(/\bexports\.(\w+) =/g)].map(([, name]) => name))];
  const body = code.replace(/^var (\w+ = require\("[\w-]+"\),?\s*)+;/m, "").replace(/\bexports\.(?=\w)/g, "exported_");
  return [
    ...imports, `var ${names.map((name) => `exported_${name}`)};`, body,
    `export { ${names.map((name) => `exported_${name} as ${name}`)} };`,
  ].join("\n");
}

/** The plugin for esbuild. */
export const leanReact = {
  name: "lean-react",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^(react|react-dom|scheduler)(\/|$)/ }, ({ path }) => ({ path, namespace: "react" }));
    onLoad({ filter: /./, namespace: "react" }, ({ path }) => {
      const [file, change = (code) => code] = FILES[path];
      return { contents: asModule(change(readFileSync(new URL(`node_modules/${file}`, import.meta.url), "utf8"))), resolveDir: "." };
    });
  },
};
