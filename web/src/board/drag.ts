// Dragging a tile onto a lane, by pragmatic-drag-and-drop. What is dragged over is known to the lane alone: nothing else redraws.
import { draggable, dropTargetForElements } from "@atlaskit/pragmatic-drag-and-drop/element/adapter";

export function makeDraggable(element: HTMLElement, taskId: string): () => void {
  return draggable({
    element,
    getInitialData: () => ({ taskId }),
    onDragStart: () => element.classList.add("is-dragged"),
    onDrop: () => element.classList.remove("is-dragged"),
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
