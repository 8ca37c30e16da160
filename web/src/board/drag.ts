// Dragging a tile onto a lane, by pragmatic-drag-and-drop. What is dragged over is known to the lane alone: nothing else redraws.
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";

const armed = new WeakSet<HTMLElement>();

/** A tile can be dragged from the moment somebody points at it: five hundred of them need no preparation for the one that is. */
export function arm(at: EventTarget | null): void {
  const tile = at instanceof Element ? at.closest<HTMLElement>(".tile[data-testid=task]") : null;
  if (!tile) return;
  // Its number is a link, and a browser would drag that. A tile that has become whole has another one.
  for (const link of tile.querySelectorAll("a")) link.draggable = false;
  if (armed.has(tile)) return;
  armed.add(tile);
  draggable({
    element: tile,
    getInitialData: () => ({ taskId: tile.dataset.taskId }),
    onDragStart: () => tile.classList.add("is-dragged"),
    onDrop: () => tile.classList.remove("is-dragged"),
  });
}

export function makeDropTarget(element: HTMLElement, on: { over: (taskId: string | undefined) => void; drop: (taskId: string) => void }): () => void {
  const taskOf = (source: { data: Record<string, unknown> }) => String(source.data.taskId);
  return dropTargetForElements({
    element,
    canDrop: ({ source }) => typeof source.data.taskId === "string",
    onDragEnter: ({ source }) => on.over(taskOf(source)),
    onDragLeave: () => on.over(undefined),
    onDrop: ({ source }) => {
      on.over(undefined);
      on.drop(taskOf(source));
    },
  });
}
