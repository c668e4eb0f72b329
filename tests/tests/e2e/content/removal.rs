//! What happens to content when its page is deleted permanently.

use super::{block, instance, mentioning, paragraph, texts, with_children, with_id};
use crate::pages::office;
use octavo_tests::{Engine, both_engines};
use serde_json::json;

both_engines! {
    content_goes_with_its_page,
}

fn content_goes_with_its_page(engine: Engine) {
    let office = office(engine);
    let target = office.below(None, "Target");
    let page = office.page_of(
        "Page",
        &[with_children(with_id(1, paragraph("source")), &[with_id(2, mentioning("T", "page", &target))])],
    );
    let below = office
        .page(&office.owner, &json!({ "parentId": page, "blocks": [with_id(3, mentioning("T", "page", &target))] }));
    let other = office.page_of("Other", &[instance(&block(1)), mentioning("T", "page", &target)]);
    office.delete(&office.owner, &format!("/blocks/{}", block(2))).is(200);
    office.delete(&office.owner, &format!("/pages/{page}")).is(200);
    let confirm = json!({ "confirm": page });
    office.call(&office.owner, "DELETE", &format!("/pages/{page}?permanent=true"), &confirm).is(202);
    for path in [
        format!("/pages/{page}/markdown"),
        format!("/pages/{page}/versions"),
        format!("/pages/{page}/backlinks"),
        format!("/pages/{below}?include=blocks"),
        format!("/blocks/{}", block(1)),
        format!("/blocks/{}", block(2)),
        format!("/blocks/{}", block(3)),
    ] {
        office.get(&office.owner, &path).refuses(404, "NOT_FOUND");
    }
    let left = office.blocks(&office.owner, &other);
    assert_eq!(texts(&left), ["T"], "the instance went with its source");
    let links = office.backlinks(&office.owner, &target);
    assert_eq!((links.as_array().unwrap().len(), &links[0]["pageId"]), (1, &json!(other)));
    let edits = json!({ "edits": [{ "op": "append", "markdown": "more" }] });
    let edited = office.patch(&office.owner, &format!("/pages/{other}/markdown"), &edits).data(200);
    assert_eq!((&edited["blockIds"][0], &edited["deletedBlockIds"]), (&left[0]["id"], &json!([])));
    let kept = office.post(&office.owner, &format!("/pages/{other}/versions"), &json!({})).data(201);
    office.line(&other, None, "behind");
    let path = format!("/pages/{other}/versions/{}/restore", kept["id"].as_str().unwrap());
    office.post(&office.owner, &path, &json!({})).is(200);
    assert_eq!(texts(&office.blocks(&office.owner, &other)), ["T", "more"]);
    let anew = json!({ "id": page, "blocks": [with_id(1, paragraph("new")), with_id(2, paragraph("ids")), with_id(3, paragraph("are free"))] });
    office.post(&office.owner, "/pages", &anew).is(201);
    assert_eq!(office.kept(&page), 0, "nothing of the old one is left");
    assert_eq!(office.counted(&page), 3);
}
