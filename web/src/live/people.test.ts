import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { property } from "../app/session";
import { speak } from "../i18n";
import { learnNames, nameOf } from "./people";

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
