// Reads a text/event-stream, piece by piece, comments and bare ids too: the server sends both while nothing happens.

export interface Message {
  event: string;
  data: string;
  id: string | undefined;
}

/** Feed it text as it comes; it calls back for every event with data, and tells the newest id. */
export function sseReader(onMessage: (message: Message) => void): { push(text: string): void; lastId(): string | undefined } {
  let rest = "";
  let event = "";
  let data: string[] = [];
  let lastId: string | undefined;
  const line = (text: string) => {
    if (text === "") {
      if (data.length) onMessage({ event: event || "message", data: data.join("\n"), id: lastId });
      event = "";
      data = [];
      return;
    }
    const colon = text.indexOf(":");
    if (colon === 0) return;
    const field = colon < 0 ? text : text.slice(0, colon);
    const value = colon < 0 ? "" : text.slice(colon + 1).replace(/^ /, "");
    if (field === "event") event = value;
    else if (field === "data") data.push(value);
    else if (field === "id" && !value.includes("\0")) lastId = value;
  };
  return {
    push(text) {
      rest += text;
      // A carriage return at the very end may be half of a line's end.
      const parts = rest.split(/\r\n|\n|\r(?!$)/);
      rest = parts.pop() ?? "";
      parts.forEach(line);
    },
    lastId: () => lastId,
  };
}
