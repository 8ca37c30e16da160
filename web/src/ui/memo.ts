// Draws again only when a property is another value. Preact's own is in compat, which we do without.
import { Component, type ComponentType, type FunctionComponent, h } from "preact";

export function memo<P extends object>(view: FunctionComponent<P>): ComponentType<P> {
  return class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      const before = this.props as Record<string, unknown>;
      const after = next as Record<string, unknown>;
      return Object.keys(after).some((name) => name !== "children" && !Object.is(before[name], after[name]));
    }
    override render() {
      return h(view as FunctionComponent<object>, this.props as object);
    }
  } as unknown as ComponentType<P>;
}
