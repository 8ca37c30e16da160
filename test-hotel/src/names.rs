//! What people are called, as the staff context tells it.

use contracts::ids::StaffId;
use serde_json::json;

use crate::{Happening, TestHotel};

impl TestHotel {
    /// Somebody new, with a name and languages.
    pub fn met(&self, staff: &StaffId, given: &str, family: &str, languages: &[&str]) -> Happening {
        let payload = json!({
            "staffId": staff, "tenantId": self.tenant, "homePropertyId": self.property, "propertyAccess": [self.property],
            "staffCode": "S-0001", "userId": null, "givenName": given, "familyName": family,
            "positionId": "pos_HOUSEKEEPER", "departmentId": "dpt_HOUSEKEEPING", "employmentType": "full_time",
            "employmentStatus": "active", "employmentStartedAt": "2026-01-01", "hasEmail": false, "pinSet": true,
            "languages": languages, "skills": [], "version": 1, "createdAt": self.now(),
        });
        self.happening("staff.created.v1", &payload)
    }

    /// Something of a person changed; what it is now is not told.
    pub fn renamed(&self, staff: &StaffId, version: u64, fields: &[&str]) -> Happening {
        let payload = json!({
            "staffId": staff, "tenantId": self.tenant, "changedFields": fields, "version": version, "updatedAt": self.now(),
        });
        self.happening("staff.updated.v1", &payload)
    }
}
