// Closing what lies over a page. Apart from the router, which every page carries.
import { go } from "./router";

/** Away from what lies over a page: back where one came from, so that the browser's own way back does not open it again. */
export function goBack(): void {
  if (history.state) history.back();
  else go(`/board${location.search}`, { replace: true });
}
