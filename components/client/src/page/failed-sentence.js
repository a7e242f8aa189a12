// The sentence that is shown in place of what could not be rendered.

import { Component, createElement, useEffect, useState } from "react";
import { fault } from "../connection/report-fault.js";

/** The sentence comes after hydration: the server's HTML has nothing there. */
export function Failed({ sentence }) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return mounted ? createElement("p", { className: "message message--bad", role: "alert" }, sentence) : null;
}

/** Shows `fallback`, an element or what makes one, when something inside has failed. */
export class Boundary extends Component {
  state = { failed: false };
  static getDerivedStateFromError() { return { failed: true }; }
  componentDidCatch(error) { console.error("a component failed", error); fault("component", error); }
  render() {
    const { fallback, children } = this.props;
    return this.state.failed ? (typeof fallback === "function" ? fallback() : fallback) : children;
  }
}
