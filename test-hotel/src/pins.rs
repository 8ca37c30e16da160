//! People who have a PIN, and those who try to guess it.

use serde_json::{Value, json};

use crate::{Answer, Ask, TestHotel, text};

/// Somebody who has a PIN.
#[derive(Clone, Debug)]
pub struct Known {
    pub staff: String,
    pub code: String,
    pub pin: String,
}

impl TestHotel {
    /// A housekeeper with a PIN.
    pub async fn with_pin(&self, given_name: &str, pin: &str) -> Known {
        let mut body = self.application_of(given_name).await;
        body["pin"] = json!(pin);
        let person = self.post(&self.manager(), "/staff/v1/staff", body).await.done();
        Known { staff: text(&person["staffId"]), code: text(&person["staffCode"]), pin: pin.to_owned() }
    }

    pub fn showing(&self, code: &str, pin: &str) -> Value {
        json!({ "tenantId": self.tenant, "staffCode": code, "pin": pin })
    }

    /// Signs in from an address.
    pub async fn sign_in_from(&self, address: &str, code: &str, pin: &str) -> Answer {
        self.ask(Ask::post("/staff/v1/auth/pin").from(address).json(&self.showing(code, pin))).await
    }

    pub async fn sign_in(&self, code: &str, pin: &str) -> Answer {
        self.sign_in_from("192.0.2.1", code, pin).await
    }
}
