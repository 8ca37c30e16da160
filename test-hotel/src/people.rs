//! Who is who: tokens, and people who come to work.

use contracts::ids::{PropertyId, ShiftId, StaffId, TenantId};
use platform::auth::{Claims, Role};

use crate::{Happening, TestHotel};

impl TestHotel {
    /// The claims of a token that is good for an hour in all of the tenant's properties.
    pub fn claims(&self, role: Role, staff: Option<&StaffId>) -> Claims {
        Claims {
            sub: format!("usr_{}", role.as_str()),
            tenant_id: Some(self.tenant.as_str().to_owned()),
            staff_id: staff.map(|staff| staff.as_str().to_owned()),
            roles: vec![role.as_str().to_owned()],
            properties: vec!["*".to_owned()],
            exp: self.now().as_millis() / 1_000 + 3_600,
            ..Claims::default()
        }
    }

    pub fn token(&self, role: Role, staff: Option<&StaffId>) -> String {
        self.key.mint(&self.claims(role, staff))
    }

    pub fn token_of_tenant(&self, role: Role, tenant: &TenantId) -> String {
        let staff = StaffId::parse("stf_OTHER").ok();
        let claims = self.claims(role, staff.as_ref());
        self.key.mint(&Claims { tenant_id: Some(tenant.as_str().to_owned()), ..claims })
    }

    /// Good for one property alone.
    pub fn token_for_property(&self, role: Role, property: &PropertyId) -> String {
        let staff = StaffId::parse("stf_ELSEWHERE").ok();
        let claims = self.claims(role, staff.as_ref());
        self.key.mint(&Claims { properties: vec![property.as_str().to_owned()], ..claims })
    }

    pub fn supervisor(&self) -> String {
        self.token(Role::Supervisor, StaffId::parse("stf_SUPERVISOR").ok().as_ref())
    }

    pub fn manager(&self) -> String {
        self.token(Role::PropertyManager, StaffId::parse("stf_MANAGER").ok().as_ref())
    }

    pub fn service(&self) -> String {
        self.token(Role::Service, None)
    }

    pub fn housekeeper(&self, staff: &StaffId) -> String {
        self.token(Role::Housekeeper, Some(staff))
    }

    /// Somebody who has come to work, as the staff context tells it.
    pub async fn person_on_shift(&self) -> StaffId {
        self.comes_to(|scheduled| scheduled).await
    }

    /// The same at another job, such as `front_desk`.
    pub async fn on_shift_as(&self, role: &str) -> StaffId {
        self.comes_to(|scheduled| scheduled.adding("/payload", "positionRole", serde_json::json!(role))).await
    }

    async fn comes_to(&self, shift_as: impl FnOnce(Happening) -> Happening) -> StaffId {
        let (staff, shift): (StaffId, ShiftId) = (self.next(), self.next());
        self.deliver(&shift_as(self.shift_scheduled(&shift))).await;
        self.deliver(&self.shift_assigned(&shift, &staff)).await;
        self.deliver(&self.clocked_in(Some(&shift), &staff)).await;
        staff
    }
}
