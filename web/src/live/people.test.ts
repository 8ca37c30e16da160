import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { property } from "../app/session";
import { speak } from "../i18n";
import { learnNames, nameOf } from "./people";
import { live } from "./state";

beforeAll(() => speak("en", "board"));
afterEach(() => vi.unstubAllGlobals());

it("asks once for all whom nobody has named, and says a word until then: never a part of an id", async () => {
  const asked: string[] = [];
  property.set("prp_1");
  vi.stubGlobal("fetch", async (path: string) => {
    asked.push(path);
    return new Response(JSON.stringify({ items: [{ staffId: "stf_m", userId: "usr_m", givenName: "Roya", familyName: "Hashimi" }] }), { status: 200 });
  });
  learnNames([{ staffId: "stf_a", displayName: "Parwin Ahmadi" }]);
  expect([nameOf("stf_a"), nameOf("stf_m"), nameOf("stf_x")]).toEqual(["Parwin Ahmadi", "somebody", "somebody"]);
  await vi.waitFor(() => expect(nameOf("stf_m")).toBe("Roya Hashimi"));
  expect(nameOf("usr_m")).toBe("Roya Hashimi");
  expect(nameOf("stf_x")).toBe("somebody");
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(asked).toEqual(["/staff/v1/staff?propertyId=prp_1&limit=500"]);
});

it("asks again once there is a net, where none was, and not where the server said no", async () => {
  const asked: string[] = [];
  let answer = async (): Promise<Response> => Promise.reject(new TypeError("no net"));
  vi.stubGlobal("fetch", (path: string) => (asked.push(path), answer()));
  live.set("offline");
  expect(nameOf("stf_late")).toBe("somebody");
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(nameOf("stf_late")).toBe("somebody");
  answer = async () => new Response(JSON.stringify({ items: [{ staffId: "stf_late", displayName: "Zarmina Noori" }] }), { status: 200 });
  live.set("live");
  await vi.waitFor(() => expect(nameOf("stf_late")).toBe("Zarmina Noori"));
  expect(asked).toHaveLength(2);
  answer = async () => new Response("{}", { status: 403 });
  nameOf("stf_never");
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  await new Promise((resolve) => setTimeout(resolve, 20));
  live.set("offline");
  live.set("live");
  nameOf("stf_never");
  await new Promise((resolve) => setTimeout(resolve, 120));
  expect(asked).toHaveLength(3);
});
