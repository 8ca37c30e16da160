//! What others tell of logins, in any order and as often as they like: the same people are active and linked in the end.

use serde_json::{Value, json};

use crate::test_hotel::{Happening, TestHotel, text};

/// Every order of these.
fn orders(count: usize) -> Vec<Vec<usize>> {
    if count == 0 {
        return vec![Vec::new()];
    }
    let shorter = orders(count - 1);
    let put = |order: &Vec<usize>, at: usize| {
        let mut longer = order.clone();
        longer.insert(at, count - 1);
        longer
    };
    shorter.iter().flat_map(|order| (0..count).map(move |at| put(order, at))).collect()
}

struct Story<'a> {
    hotel: &'a TestHotel,
    user: String,
}

impl Story<'_> {
    fn told(&self, subject: &str, minute: i64, more: &Value) -> Happening {
        let mut payload = json!({ "tenantId": self.hotel.tenant, "userId": self.user });
        payload.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let at = self.hotel.now().plus_seconds(-3_600 + 60 * minute);
        self.hotel.happening(subject, &payload).with("/occurredAt", json!(at))
    }

    fn registered(&self, staff: Option<&str>) -> Happening {
        let more = staff.map_or_else(|| json!({}), |staff| json!({ "staffId": staff }));
        self.told("iam.user.registered.v1", 0, &more)
    }

    fn joined(&self, minute: i64) -> Happening {
        let roles = json!({ "roles": ["housekeeper"], "homePropertyId": self.hotel.property });
        self.told("tenant.membership.created.v1", minute, &roles)
    }

    fn left(&self, minute: i64) -> Happening {
        self.told("tenant.membership.removed.v1", minute, &json!({}))
    }

    /// Who is active with this login.
    async fn active(&self) -> Vec<String> {
        let path = format!("/staff/v1/staff?userId={}&status=active", self.user);
        let found = self.hotel.get(&self.hotel.manager(), &path).await.done();
        found["items"].as_array().unwrap().iter().map(|person| text(&person["staffId"])).collect()
    }
}

async fn in_every_order(
    hotel: &TestHotel,
    name: &str,
    events: usize,
    make: impl AsyncFn(&Story<'_>) -> (Vec<Happening>, Option<String>),
) {
    for (number, order) in orders(events).into_iter().enumerate() {
        let story = Story { hotel, user: format!("usr_{}{number}", name.to_uppercase()) };
        let (happened, wanted) = make(&story).await;
        for at in order.iter().chain(&order) {
            hotel.deliver(&happened[*at]).await;
        }
        let active = story.active().await;
        match wanted {
            Some(staff) if staff.is_empty() => assert_eq!(active.len(), 1, "{name} {order:?}"),
            wanted => assert_eq!(active, wanted.into_iter().collect::<Vec<_>>(), "{name} {order:?}"),
        }
    }
    let buried = hotel.behind.query("SELECT code, error FROM staff.dead_letters", &[]).await.unwrap();
    assert!(buried.is_empty(), "{name}: {:?}", buried.iter().map(|row| row.get::<_, String>(1)).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_person_who_is_registered_joins_leaves_and_joins_again_is_active_in_every_order() {
    let hotel = TestHotel::open().await;
    in_every_order(&hotel, "again", 4, async |story| {
        let staff = hotel.employ("Zarmina").await;
        (vec![story.registered(Some(&staff)), story.joined(1), story.left(2), story.joined(3)], Some(staff))
    })
    .await;
}

#[tokio::test]
async fn a_person_who_leaves_last_is_gone_in_every_order_and_a_login_alone_is_one_person() {
    let hotel = TestHotel::open().await;
    in_every_order(&hotel, "gone", 3, async |story| {
        let staff = hotel.employ("Laila").await;
        (vec![story.registered(Some(&staff)), story.joined(1), story.left(2)], None)
    })
    .await;
    in_every_order(&hotel, "shell", 4, async |story| {
        (vec![story.registered(None), story.joined(1), story.left(2), story.joined(3)], Some(String::new()))
    })
    .await;
    in_every_order(&hotel, "both", 2, async |story| {
        let staff = hotel.employ("Nasrin").await;
        (vec![story.registered(Some(&staff)), story.joined(1)], Some(staff))
    })
    .await;
}

#[tokio::test]
async fn a_shell_has_the_position_of_its_roles_and_services_get_none() {
    let hotel = TestHotel::open().await;
    let story = Story { hotel: &hotel, user: "usr_DESK".to_owned() };
    let joined = story.joined(1).with("/payload/roles", json!(["front_desk"])).without("/payload", "homePropertyId");
    hotel.deliver(&joined).await;
    let service = Story { hotel: &hotel, user: "usr_SERVICE".to_owned() };
    hotel.deliver(&service.joined(1).with("/payload/roles", json!(["service"]))).await;
    let all = hotel.get(&hotel.manager(), "/staff/v1/staff").await.done();
    let all = all["items"].as_array().unwrap();
    assert_eq!(all.len(), 1);
    assert_eq!((&all[0]["givenName"], &all[0]["employmentStatus"]), (&json!(""), &json!("pending_invite")));
    assert_eq!(all[0]["positionId"], json!(hotel.position("FRONT_DESK").await));
    assert_eq!(text(&all[0]["homePropertyId"])[4..], hotel.tenant.as_str()[4..]);
    assert!(text(&all[0]["staffCode"]).starts_with("S-"));
}

#[tokio::test]
async fn whoever_is_employed_with_a_login_that_was_seen_is_active_at_once() {
    let hotel = TestHotel::open().await;
    let story = Story { hotel: &hotel, user: "usr_SEEN".to_owned() };
    hotel.deliver(&story.registered(None)).await;
    let mut body = hotel.application_of("Zarmina").await;
    body["userId"] = json!("usr_SEEN");
    let person = hotel.post(&hotel.manager(), "/staff/v1/staff", body).await.done();
    assert_eq!(person["employmentStatus"], "active");
}

#[tokio::test]
async fn whoever_gets_a_login_that_was_seen_has_been_seen_and_with_one_that_is_gone_has_not() {
    let hotel = TestHotel::open().await;
    for (name, removed, standing) in [("seen", false, "active"), ("gone", true, "pending_invite")] {
        let linked = Story { hotel: &hotel, user: format!("usr_{}LINKED", name.to_uppercase()) };
        let hired = Story { hotel: &hotel, user: format!("usr_{}HIRED", name.to_uppercase()) };
        for story in [&linked, &hired] {
            hotel.deliver(&story.registered(None)).await;
            if removed {
                hotel.deliver(&story.left(1)).await;
            }
        }
        let path = format!("/staff/v1/staff/{}", hotel.employ("Zarmina").await);
        hotel.told_by_staff().await;
        let person = hotel.patch(&hotel.manager(), &path, json!({ "userId": linked.user })).await.done();
        assert_eq!(person["employmentStatus"], standing, "{name}, linked");
        let told = hotel.told_by_staff().await;
        let fields = if removed { json!(["userId"]) } else { json!(["userId", "employmentStatus"]) };
        assert_eq!((told.len(), &told[0].1["changedFields"]), (1, &fields), "{name}");
        let mut body = hotel.application_of("Laila").await;
        body["userId"] = json!(hired.user);
        let person = hotel.post(&hotel.manager(), "/staff/v1/staff", body).await.done();
        assert_eq!(person["employmentStatus"], standing, "{name}, hired");
    }
}

#[tokio::test]
async fn a_shell_belongs_to_the_first_house_that_anything_is_known_of_and_nobody_made_it() {
    let hotel = TestHotel::open().await;
    hotel.shift("14:00", "22:00").await;
    hotel.news().await;
    let story = Story { hotel: &hotel, user: "usr_SHELL".to_owned() };
    let joined = story.told("tenant.membership.created.v1", 0, &json!({ "roles": ["housekeeper"] }));
    hotel.deliver(&joined.without("", "actor")).await;
    let news = hotel.news().await;
    let created = news.iter().find(|one| one["eventType"] == "melmastoon.staff.created.v1").unwrap();
    let house = hotel.property.as_str().replacen("prp_", "ppt_", 1);
    assert_eq!(created["payload"]["homePropertyId"], json!(house));
    assert_eq!(created["actorId"], "system_auto", "{created}");
}

#[tokio::test]
async fn a_login_that_nobody_has_registered_makes_nobody_active_in_any_order() {
    let hotel = TestHotel::open().await;
    in_every_order(&hotel, "unseen", 3, async |story| (vec![story.joined(1), story.left(2), story.joined(3)], None))
        .await;
}

#[tokio::test]
async fn a_login_that_is_registered_for_somebody_who_is_gone_is_whoevers_the_membership_makes_it() {
    let hotel = TestHotel::open().await;
    let gone = async |login: Option<&str>| {
        let path = format!("/staff/v1/staff/{}", hotel.employ("Laila").await);
        if let Some(login) = login {
            hotel.patch(&hotel.manager(), &path, json!({ "userId": login })).await.done();
        }
        hotel.post(&hotel.manager(), &format!("{path}/terminate"), json!({ "reason": "resigned" })).await.done();
        path.rsplit('/').next().unwrap().to_owned()
    };
    in_every_order(&hotel, "gone_name", 2, async |story| {
        let staff = gone(None).await;
        (vec![story.registered(Some(&staff)), story.joined(1)], Some(String::new()))
    })
    .await;
    // Neither another login of theirs nor whoever holds this one is in the way: nothing is theirs any more.
    in_every_order(&hotel, "gone_other", 2, async |story| {
        let staff = gone(Some(&format!("{}OTHER", story.user))).await;
        (vec![story.registered(Some(&staff)), story.joined(1)], Some(String::new()))
    })
    .await;
    in_every_order(&hotel, "gone_held", 2, async |story| {
        let (staff, nasrin) = (gone(None).await, hotel.employ("Nasrin").await);
        let path = format!("/staff/v1/staff/{nasrin}");
        hotel.patch(&hotel.manager(), &path, json!({ "userId": story.user })).await.done();
        (vec![story.registered(Some(&staff)), story.joined(1)], Some(nasrin))
    })
    .await;
}
