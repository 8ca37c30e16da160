//! What has to be done in a room, item by item, in the languages of those who do it.

use std::collections::BTreeMap;

use contracts::actor::Actor;
use contracts::housekeeping::{ChecklistDiff, ChecklistResult, TaskKind};
use contracts::ids::ChecklistId;
use contracts::time::Timestamp;
use platform::Decided;
use platform::decided::Aggregate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A checklist at one version, as a task refers to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChecklistReference {
    pub id: ChecklistId,
    pub version: i32,
}

/// One line of a checklist.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct ChecklistItem {
    pub key: String,
    /// The words by language; the device shows the one it needs.
    pub label_i18n: BTreeMap<String, String>,
    pub required: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub photo: Option<bool>,
}

/// A published checklist never changes; a new version takes its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checklist {
    pub id: ChecklistId,
    pub kind: TaskKind,
    pub version: i32,
    pub items: Vec<ChecklistItem>,
    pub published_at: Timestamp,
    pub published_by: Actor,
}

impl Checklist {
    pub fn reference(&self) -> ChecklistReference {
        ChecklistReference { id: self.id.clone(), version: self.version }
    }

    /// The required items that were not checked.
    pub fn missing(&self, results: &[ChecklistResult]) -> Vec<String> {
        let checked = |key: &str| results.iter().any(|result| result.item_key == key && result.checked);
        self.items.iter().filter(|item| item.required && !checked(&item.key)).map(|item| item.key.clone()).collect()
    }
}

/// A new version was put in force, in place of the one before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Publication {
    pub checklist: Checklist,
    pub previous_version: i32,
    pub diff: ChecklistDiff,
    /// Published once and never changed.
    version: i32,
}

/// It was put in force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Published;

impl Aggregate for Publication {
    type Event = Published;

    fn version_mut(&mut self) -> &mut i32 {
        &mut self.version
    }
}

impl Checklist {
    /// The next version of this one.
    pub fn succeed(
        &self,
        id: ChecklistId,
        items: Vec<ChecklistItem>,
        by: Actor,
        at: Timestamp,
    ) -> Decided<Publication> {
        let diff = diff(&self.items, &items);
        let (kind, version) = (self.kind, self.version + 1);
        let checklist = Self { id, kind, version, items, published_at: at, published_by: by };
        let previous_version = self.version;
        Decided::opened(Publication { checklist, previous_version, diff, version: 1 }, Published)
    }
}

/// Which lines are new, which are gone, and which read differently. Their order is no difference.
fn diff(before: &[ChecklistItem], after: &[ChecklistItem]) -> ChecklistDiff {
    let find = |list: &[ChecklistItem], key: &str| list.iter().find(|item| item.key == key).cloned();
    let keys = |list: &[ChecklistItem], wanted: &dyn Fn(&ChecklistItem) -> bool| -> Vec<String> {
        list.iter().filter(|item| wanted(item)).map(|item| item.key.clone()).collect()
    };
    ChecklistDiff {
        added: keys(after, &|item| find(before, &item.key).is_none()),
        removed: keys(before, &|item| find(after, &item.key).is_none()),
        modified: keys(after, &|item| find(before, &item.key).is_some_and(|earlier| earlier != *item)),
    }
}

const MOST_ITEMS: usize = 200;
const MOST_LANGUAGES: usize = 20;
const LONGEST_KEY: usize = 100;
const LONGEST_LABEL: usize = 500;

/// The first thing that is wrong with the items of a checklist, as a rule for people.
pub fn fault(items: &[ChecklistItem]) -> Option<String> {
    if items.is_empty() || items.len() > MOST_ITEMS {
        return Some(format!("1 to {MOST_ITEMS} items"));
    }
    let tag =
        |text: &str| (2..=35).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let says = |text: &str, longest| !text.trim().is_empty() && text.chars().count() <= longest;
    for (at, item) in items.iter().enumerate() {
        if !says(&item.key, LONGEST_KEY) {
            return Some(format!("item {at}: key has 1 to {LONGEST_KEY} characters"));
        }
        if items[..at].iter().any(|earlier| earlier.key == item.key) {
            return Some(format!("item {at}: {} is there twice", item.key));
        }
        if item.label_i18n.is_empty() || item.label_i18n.len() > MOST_LANGUAGES {
            return Some(format!("item {at}: labelI18n has 1 to {MOST_LANGUAGES} languages"));
        }
        if item.label_i18n.iter().any(|(language, text)| !tag(language) || !says(text, LONGEST_LABEL)) {
            return Some(format!(
                "item {at}: labelI18n has 1 to {LONGEST_LABEL} characters for a language such as ps-AF"
            ));
        }
    }
    None
}

/// The items that every hotel starts with.
pub fn default_items(kind: TaskKind) -> Vec<ChecklistItem> {
    let words: &[(&str, bool, &str, &str, &str)] = match kind {
        TaskKind::Turnover => &[
            ("strip_bed", true, "Strip the bed", "د کټ روجایي لرې کړئ", "روجایی تخت را بردارید"),
            (
                "make_bed",
                true,
                "Make the bed with fresh linen",
                "کټ په پاکو روجایو جوړ کړئ",
                "تخت را با روجایی پاک آماده کنید",
            ),
            ("bathroom", true, "Clean the bathroom", "تشناب پاک کړئ", "تشناب را پاک کنید"),
            ("towels", true, "Replace the towels", "جان‌پاکونه بدل کړئ", "جان‌پاک‌ها را عوض کنید"),
            ("floor", true, "Vacuum and mop the floor", "فرش جارو او پاک کړئ", "فرش را جارو و پاک کنید"),
            ("trash", true, "Empty the bins", "کثافات لرې کړئ", "سطل‌ها را خالی کنید"),
            ("minibar", false, "Refill the minibar", "مېني بار ډک کړئ", "مینی‌بار را پر کنید"),
            ("lost_items", false, "Look for things left behind", "پاتې شوي شیان وګورئ", "اشیای جامانده را بپالید"),
        ],
        TaskKind::MidStayClean => &[
            ("make_bed", true, "Make the bed", "کټ جوړ کړئ", "تخت را مرتب کنید"),
            ("bathroom", true, "Clean the bathroom", "تشناب پاک کړئ", "تشناب را پاک کنید"),
            (
                "towels",
                false,
                "Replace the towels on the floor",
                "په ځمکه پراته جان‌پاکونه بدل کړئ",
                "جان‌پاک‌های روی زمین را عوض کنید",
            ),
            ("trash", true, "Empty the bins", "کثافات لرې کړئ", "سطل‌ها را خالی کنید"),
        ],
        TaskKind::DeepClean => &[
            ("behind_furniture", true, "Clean behind the furniture", "د فرنیچر شاته پاک کړئ", "پشت مبل‌ها را پاک کنید"),
            ("carpet", true, "Shampoo the carpet", "غالۍ ومینځئ", "قالین را بشویید"),
            ("windows", true, "Clean the windows", "کړکۍ پاکې کړئ", "کلکین‌ها را پاک کنید"),
            (
                "curtains",
                true,
                "Wash or change the curtains",
                "پردې ومینځئ یا بدلې کړئ",
                "پرده‌ها را بشویید یا عوض کنید",
            ),
            ("bathroom", true, "Descale the bathroom", "د تشناب چونه لرې کړئ", "جرم تشناب را بگیرید"),
        ],
        TaskKind::PostMaintenance => &[
            ("dust", true, "Remove dust and debris", "دوړې او پاتې شوني لرې کړئ", "گرد و پس‌مانده را جمع کنید"),
            ("surfaces", true, "Wipe all surfaces", "ټولې سطحې پاکې کړئ", "همه سطح‌ها را پاک کنید"),
            ("floor", true, "Vacuum and mop the floor", "فرش جارو او پاک کړئ", "فرش را جارو و پاک کنید"),
            (
                "test_repair",
                true,
                "Check that the repair works",
                "وګورئ چې ترمیم کار کوي",
                "ببینید که ترمیم درست کار می‌کند",
            ),
        ],
        TaskKind::PostRenovation => &[
            (
                "debris",
                true,
                "Remove all building material",
                "ټول ساختماني مواد لرې کړئ",
                "همه مواد ساختمانی را بیرون کنید",
            ),
            (
                "paint",
                true,
                "Remove paint and adhesive marks",
                "د رنګ او سرېښ داغونه لرې کړئ",
                "لکه‌های رنگ و چسپ را پاک کنید",
            ),
            ("windows", true, "Clean the windows", "کړکۍ پاکې کړئ", "کلکین‌ها را پاک کنید"),
            ("full_clean", true, "Clean the whole room", "ټوله خونه پاکه کړئ", "تمام اتاق را پاک کنید"),
        ],
        TaskKind::Inspection => &[
            ("bed", true, "The bed is made well", "کټ ښه جوړ دی", "تخت درست آماده است"),
            ("bathroom", true, "The bathroom is clean", "تشناب پاک دی", "تشناب پاک است"),
            ("floor", true, "The floor is clean", "فرش پاک دی", "فرش پاک است"),
            (
                "supplies",
                true,
                "Towels and supplies are complete",
                "جان‌پاکونه او توکي بشپړ دي",
                "جان‌پاک‌ها و لوازم کامل است",
            ),
            ("smell", false, "The room smells fresh", "خونه تازه بوی لري", "اتاق بوی تازه دارد"),
        ],
    };
    words
        .iter()
        .map(|(key, required, en, ps, fa)| ChecklistItem {
            key: (*key).to_owned(),
            label_i18n: [("en", en), ("ps-AF", ps), ("fa-AF", fa)]
                .into_iter()
                .map(|(language, text)| (language.to_owned(), (*text).to_owned()))
                .collect(),
            required: *required,
            photo: None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(key: &str, label: &str) -> ChecklistItem {
        let label_i18n = BTreeMap::from([("en".to_owned(), label.to_owned())]);
        ChecklistItem { key: key.to_owned(), label_i18n, required: true, photo: None }
    }

    #[test]
    fn the_difference_of_two_versions_names_what_is_new_gone_and_changed() {
        let before = [item("bed", "Make the bed"), item("bath", "Clean the bath"), item("bin", "Empty the bin")];
        let after = [item("bin", "Empty the bins"), item("bed", "Make the bed"), item("desk", "Wipe the desk")];
        let found = diff(&before, &after);
        assert_eq!(
            (found.added, found.removed, found.modified),
            (vec!["desk".to_owned()], vec!["bath".to_owned()], vec!["bin".to_owned()],)
        );
        assert_eq!(diff(&before, &before), ChecklistDiff::default());
    }
}
