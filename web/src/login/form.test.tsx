import "fake-indexeddb/auto";
import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, expect, it, vi } from "vitest";
import { device } from "../app/session";
import { speak } from "../i18n";
import { LoginForm } from "./form";

const root = document.createElement("div");
afterEach(() => {
  act(() => render(null, root));
  vi.unstubAllGlobals();
});

it.each(["", "tnt_other"])("the cover of a locked page takes code and PIN for the hotel that one came from, though the device knows another (%s)", async (hotel) => {
  localStorage.clear();
  device.setHotel(hotel);
  const asked: unknown[] = [];
  vi.stubGlobal("fetch", async (_path: unknown, options?: { body?: string }) => {
    if (options?.body) asked.push(JSON.parse(options.body));
    return new Response(JSON.stringify({ status: 401, code: "PIN_REFUSED", title: "" }), { status: 401, headers: { "content-type": "application/problem+json" } });
  });
  await speak("en", "login", "more");
  await act(() => render(<LoginForm only={{ tenantId: "tnt_1", userId: "usr_1", roles: ["supervisor"] } as never} />, root));
  expect(root.querySelector(".notice")).toBeNull();
  const type = (name: string, text: string) => {
    const field = root.querySelector<HTMLInputElement>(`[data-testid=${name}]`);
    if (!field) throw new Error(`no ${name}`);
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  await act(() => (type("login-code", "a-1"), type("login-pin", "۱۲۳۴")));
  await act(() => void root.querySelector("form")?.dispatchEvent(new Event("submit", { bubbles: true, cancelable: true })));
  await vi.waitFor(() => expect(asked).toEqual([{ tenantId: "tnt_1", staffCode: "A-1", pin: "1234" }]));
});
