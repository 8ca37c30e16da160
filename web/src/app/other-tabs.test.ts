import "fake-indexeddb/auto";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { followTabs } from "./other-tabs";
import { LAST, type Session, enter, session } from "./session";

const person = (staffId: string, more: Partial<Session> = {}) =>
  ({ userId: "usr_local", tenantId: "tnt_a", staffId, roles: ["supervisor"], properties: ["prp_1"], propertyId: "prp_1", timezone: "Asia/Kabul", language: "en", expiresAt: "", ...more }) as Session;

const assigned = vi.spyOn(location, "assign").mockImplementation(() => undefined);
/** As a browser tells all tabs but the one that wrote it. */
function otherTab(who: Session | undefined): void {
  if (who) localStorage.setItem(LAST, JSON.stringify(who));
  else localStorage.removeItem(LAST);
  dispatchEvent(new StorageEvent("storage", { key: LAST }));
}

beforeAll(followTabs);
beforeEach(async () => {
  assigned.mockClear();
  await enter(person("stf_anna"));
});

it("whoever signs out in one tab is out in the others", () => {
  otherTab(undefined);
  expect(session.get()).toEqual({ standing: "out" });
  expect(assigned).not.toHaveBeenCalled();
});

it("where somebody else signed in, the first page is loaded anew", () => {
  otherTab(person("stf_bibi"));
  expect(assigned).toHaveBeenCalledWith("/");
});

it("the same person who signed in once more goes on here", () => {
  otherTab(person("stf_anna", { userId: "stf_anna", expiresAt: "later" }));
  expect(session.get().standing).toBe("in");
  expect(assigned).not.toHaveBeenCalled();
});

it("a cover is lifted where the same person gave the PIN in another tab, and not by anything else", async () => {
  const who = person("stf_anna", { expiresAt: "soon" });
  session.set({ standing: "locked", who });
  otherTab(who);
  expect(session.get().standing).toBe("locked");
  otherTab(person("stf_anna", { expiresAt: "later" }));
  await vi.waitFor(() => expect(session.get()).toMatchObject({ standing: "in", who: { expiresAt: "later" } }));
});
