import { describe, expect, it } from "vitest";
import { isOf, isSamePerson, personOf, whoOf } from "./person";

const anna = { userId: "usr_demo_supervisor", staffId: "stf_anna", tenantId: "tnt_a" };

describe("whose tap it is", () => {
  it("is the same person by PIN, by the demo's door and by a link", () => {
    const byPin = { userId: "stf_anna", staffId: "stf_anna", tenantId: "tnt_a" };
    const byLink = { userId: "usr_local", staffId: "stf_anna", tenantId: "tnt_a" };
    expect(new Set([anna, byPin, byLink].map(personOf)).size).toBe(1);
    expect(isSamePerson(byPin, byLink)).toBe(true);
  });

  it("is another person under the same subject, or in another hotel", () => {
    const bibi = { ...anna, staffId: "stf_bibi" };
    expect(isSamePerson(anna, bibi)).toBe(false);
    expect(isSamePerson(anna, { ...anna, tenantId: "tnt_b" })).toBe(false);
    const tap = { tenant: "tnt_a", staff: personOf(anna) };
    expect(isOf(tap, whoOf(anna))).toBe(true);
    expect(isOf(tap, whoOf(bibi))).toBe(false);
    expect(isOf(tap, whoOf({ ...anna, tenantId: "tnt_b" }))).toBe(false);
  });

  it("does not take a subject without a person for whoever comes next under it", () => {
    const nobody = { userId: "usr_local", tenantId: "tnt_a" };
    const tap = { tenant: "tnt_a", staff: personOf(nobody) };
    expect(isOf(tap, whoOf(nobody))).toBe(true);
    expect(isOf(tap, whoOf({ ...nobody, staffId: "stf_anna" }))).toBe(false);
  });

  it("still sends what an older build wrote under the subject", () => {
    expect(isOf({ tenant: "tnt_a", staff: "usr_demo_supervisor" }, whoOf(anna))).toBe(true);
    expect(isOf({ tenant: "", staff: "usr_demo_supervisor" }, whoOf(anna))).toBe(true);
    expect(isOf({ tenant: "tnt_b", staff: "usr_demo_supervisor" }, whoOf(anna))).toBe(false);
  });
});
