// The sentence that is shown in place of what could not be rendered.

import { Component, createElement, useEffect, useState } from "react";
import { fault } from "../connection/report-fault.js";

/** The sentence comes after hydration: the server's HTML has nothing there. */
export function Failed({ sentence }) {
  const [mounted, setMounted] = useState(false);
  useEffect(() => setMounted(true), []);
  return mounted ? createElement("p", { className: "message message--bad", role: "alert" }, sentence) : null;
}

export class Boundary extends Component {
  state = { failed: false };
  static getDerivedStateFromError() { return { failed: true }; }
  componentDidCatch(error) { console.error("a component failed", error); fault("component", error); }
  render() { return this.state.failed ? this.props.fallback : this.props.children; }
}
