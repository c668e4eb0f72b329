//! What charts of databases show.

#![allow(clippy::needless_pass_by_value, reason = "values are written where they are passed")]

use crate::{
    charts::{by, create, data, day, deals, grant, path, points, preview, put, stage, sum, unfit, with},
    pages::office,
    records::path_of,
};
use octavo_tests::{Engine, both_engines, browser::encoded, shape};
use serde_json::{Value, json};

both_engines! {
    points_are_counted_like_groups,
    dates_are_counted_by_spans_of_the_calendar,
    numbers_are_counted_by_bins,
    a_record_counts_under_each_of_its_options,
    series_split_points,
    computed_values_are_counted,
    charts_have_to_suit_what_a_formula_computes,
    what_is_too_many_becomes_one_point,
    hidden_records_and_targets_do_not_count,
    a_chart_whose_property_is_deleted_says_so,
}

fn points_are_counted_like_groups(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    put(&office, &table, "A", 10.0, &[stage("opt-won")]);
    put(&office, &table, "B", 5.0, &[stage("opt-new")]);
    put(&office, &table, "C", 1.0, &[stage("opt-new")]);
    let old = put(&office, &table, "D", 100.0, &[]);
    let chart = create(&office, &by(&table, "Stage", json!({ "aggregation": sum(&table) })));
    let shown = data(&office, &office.member, &chart);
    assert_eq!(
        points(&shown),
        [(json!("opt-new"), json!(6)), (json!("opt-won"), json!(10)), (json!(null), json!(100))]
    );
    let point = &shown["points"][0];
    assert_eq!((&point["label"], &point["count"], &point["series"]), (&json!("New"), &json!(2), &json!(null)));
    assert_eq!(shown["points"][2]["label"], "Empty");
    assert_eq!(shown["total"], json!({ "value": 116, "count": 4 }));
    assert_eq!((&shown["series"], &shown["other"], &shown["timezone"]), (&json!([]), &json!(null), &json!("UTC")));
    let by_value = by(&table, "Stage", json!({ "sort": "value_desc", "includeEmpty": false }));
    let keys: Vec<_> = points(&preview(&office, &by_value)).into_iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["opt-new", "opt-won"]);
    let filter = json!({ "propertyId": table.property("Worth"), "op": "greater_than", "value": 4 });
    let narrowed = format!("{}/data?filter={}", path(&chart), encoded(&filter.to_string()));
    let narrowed = office.get(&office.member, &narrowed).data(200);
    assert_eq!(narrowed["total"], json!({ "value": 115, "count": 3 }));
    office.post(&office.owner, &format!("{}/archive", path_of(&old)), &Value::Null).is(200);
    assert_eq!(data(&office, &office.member, &chart)["total"]["count"], 3);
    let all = preview(&office, &by(&table, "Stage", json!({ "includeArchived": true })));
    assert_eq!(all["total"]["count"], 4);
    let number = json!({ "databaseId": table.id, "chartType": "number", "aggregation": { "fn": "AVERAGE", "propertyId": table.property("Worth") } });
    let number = preview(&office, &number);
    assert_eq!((&number["points"], &number["total"]["value"]), (&json!([]), &json!(16.0 / 3.0)));
}

fn dates_are_counted_by_spans_of_the_calendar(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    put(&office, &table, "A", 1.0, &[day("2026-01-31")]);
    put(&office, &table, "B", 2.0, &[day("2026-04-01T00:30:00Z")]);
    put(&office, &table, "C", 4.0, &[day("2026-04-05")]);
    let of = |bucket: &str, more: Value| {
        let axes = json!({ "x": { "propertyId": table.property("Day"), "bucket": bucket } });
        preview(&office, &with(by(&table, "Day", json!({ "axes": axes })), more))
    };
    let months = of("month", json!({ "aggregation": sum(&table) }));
    let expected = [("2026-01-01", 1), ("2026-02-01", 0), ("2026-03-01", 0), ("2026-04-01", 6)];
    assert_eq!(points(&months), expected.map(|(key, value)| (json!(key), json!(value))));
    let average = json!({ "fn": "AVERAGE", "propertyId": table.property("Worth") });
    assert_eq!(
        points(&of("quarter", json!({ "aggregation": average }))),
        [(json!("2026-01-01"), json!(1)), (json!("2026-04-01"), json!(3))]
    );
    let values: Vec<_> =
        points(&of("month", json!({ "aggregation": average }))).into_iter().map(|(_, value)| value).collect();
    assert_eq!(values, [json!(1), json!(null), json!(null), json!(3)]);
    let sums: Vec<_> =
        points(&of("month", json!({ "cumulative": true }))).into_iter().map(|(_, value)| value).collect();
    assert_eq!(sums, [1, 1, 1, 3]);
    // Weeks begin on Monday: the fifth of April 2026 was a Sunday.
    let weeks = of("week", json!({ "sort": "key_desc", "maxPoints": 1 }));
    assert_eq!(points(&weeks), [(json!("2026-03-30"), json!(2))]);
    // In New York it was still March.
    let there = of("month", json!({ "timezone": "America/New_York" }));
    assert_eq!(points(&there)[2], (json!("2026-03-01"), json!(1)));
    assert_eq!(there["timezone"], "America/New_York");
    assert_eq!(points(&of("year", json!({}))), [(json!("2026-01-01"), json!(3))]);
}

fn numbers_are_counted_by_bins(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    for worth in [-0.5, 0.0, 9.99, 10.0, 25.0] {
        put(&office, &table, "X", worth, &[]);
    }
    let axes = json!({ "x": { "propertyId": table.property("Worth"), "bucket": 10 } });
    let shown = preview(&office, &by(&table, "Worth", json!({ "axes": axes })));
    assert_eq!(points(&shown), [(-10, 1), (0, 2), (10, 1), (20, 1)].map(|(key, count)| (json!(key), json!(count))));
    let each = preview(&office, &by(&table, "Worth", json!({})));
    assert_eq!(points(&each)[2].0, json!(9.99));
}

fn a_record_counts_under_each_of_its_options(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    put(&office, &table, "A", 1.0, &[("Tags", json!({ "optionIds": ["opt-far", "opt-big"] }))]);
    put(&office, &table, "B", 2.0, &[("Tags", json!({ "optionIds": ["opt-big"] }))]);
    let shown = preview(&office, &by(&table, "Tags", json!({ "aggregation": sum(&table) })));
    assert_eq!(
        points(&shown),
        [(json!("opt-big"), json!(3)), (json!("opt-far"), json!(1))],
        "no point for an option without records"
    );
    assert_eq!(shown["total"], json!({ "value": 3, "count": 2 }));
}

fn series_split_points(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    put(&office, &table, "A", 1.0, &[stage("opt-won"), day("2026-01-05")]);
    put(&office, &table, "B", 2.0, &[stage("opt-new"), day("2026-03-05")]);
    let series = |x: &str| json!({ "axes": { "x": { "propertyId": table.property(x) }, "series": { "propertyId": table.property("Stage") } } });
    let shown = preview(&office, &by(&table, "Day", series("Day")));
    assert_eq!(shown["series"], json!([{ "key": "opt-new", "label": "New" }, { "key": "opt-won", "label": "Won" }]));
    let cells: Vec<_> = shown["points"]
        .as_array()
        .unwrap()
        .iter()
        .map(|point| json!([point["key"], point["series"], point["count"]]))
        .collect();
    let expected = json!([
        ["2026-01-01", "opt-new", 0],
        ["2026-01-01", "opt-won", 1],
        ["2026-02-01", "opt-new", 0],
        ["2026-02-01", "opt-won", 0],
        ["2026-03-01", "opt-new", 1],
        ["2026-03-01", "opt-won", 0],
    ]);
    assert_eq!(json!(cells), expected);
    let shown = preview(&office, &by(&table, "Name", series("Name")));
    assert_eq!(shown["points"].as_array().unwrap().len(), 2, "only where there are records");
}

fn computed_values_are_counted(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    let double = json!({ "name": "Double", "type": "formula", "config": { "expression": "prop(\"Worth\") * 2" } });
    let double = office.post(&office.owner, &format!("{}/properties", table.path), &double).data(201);
    put(&office, &table, "A", 1.0, &[stage("opt-new")]);
    put(&office, &table, "B", 2.5, &[stage("opt-new")]);
    let aggregation = json!({ "fn": "MAX", "propertyId": double["property"]["id"].as_str().or(double["id"].as_str()) });
    let shown = preview(&office, &by(&table, "Stage", json!({ "aggregation": aggregation })));
    assert_eq!(points(&shown), [(json!("opt-new"), json!(5))]);
}

fn charts_have_to_suit_what_a_formula_computes(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    let formula = |name: &str, expression: &str| {
        let body = json!({ "name": name, "type": "formula", "config": { "expression": expression } });
        let made = office.post(&office.owner, &format!("{}/properties", table.path), &body).data(201);
        shape::text(&made["property"]["id"].as_str().map_or(made["id"].clone(), |id| json!(id)))
    };
    let double = formula("Double", "prop(\"Worth\") * 2");
    let label = formula("Label", "format(prop(\"Worth\"))");
    let later = formula("Later", "dateAdd(prop(\"Day\"), 1, \"day\")");
    put(&office, &table, "A", 1.0, &[day("2026-01-31")]);
    let of = |property: &str, bucket: Value| {
        let axes = json!({ "x": { "propertyId": property, "bucket": bucket } });
        json!({ "databaseId": table.id, "name": "Deals", "chartType": "bar", "axes": axes })
    };
    let average = by(&table, "Stage", json!({ "aggregation": { "fn": "AVERAGE", "propertyId": label } }));
    for (body, field) in [
        (average, "aggregation.propertyId"),
        (of(&label, json!(10)), "axes.x.bucket"),
        (of(&double, json!("month")), "axes.x.bucket"),
        (of(&later, json!(10)), "axes.x.bucket"),
    ] {
        unfit(&office.post(&office.owner, "/charts", &body), field);
        unfit(&office.post(&office.owner, "/charts/preview", &body), field);
    }
    let made = create(&office, &of(&later, Value::Null));
    assert_eq!(made["axes"]["x"]["bucket"], "month", "as for other dates");
    assert_eq!(points(&preview(&office, &of(&later, Value::Null))), [(json!("2026-02-01"), json!(1))]);
    assert_eq!(points(&preview(&office, &of(&double, json!(10)))), [(json!(0), json!(1))]);
    // The chart fits until the formula computes something else.
    let chart = create(&office, &by(&table, "Name", json!({ "aggregation": { "fn": "SUM", "propertyId": double } })));
    let changed = json!({ "config": { "expression": "format(prop(\"Worth\"))" } });
    office.patch(&office.owner, &format!("{}/properties/{double}", table.path), &changed).is(200);
    unfit(&office.get(&office.owner, &format!("{}/data", path(&chart))), "aggregation.propertyId");
}

fn what_is_too_many_becomes_one_point(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    for worth in 1..=5 {
        put(&office, &table, &format!("D{worth}"), f64::from(worth), &[]);
    }
    let average = json!({ "fn": "AVERAGE", "propertyId": table.property("Worth") });
    let shown = preview(&office, &by(&table, "Name", json!({ "maxPoints": 2, "aggregation": average })));
    assert_eq!(points(&shown), [(json!("D1"), json!(1)), (json!("D2"), json!(2))]);
    assert_eq!(shown["other"], json!({ "value": 4, "count": 3, "points": 3 }), "the average of its records");
}

fn hidden_records_and_targets_do_not_count(engine: Engine) {
    let office = office(engine);
    let (table, clients) = (deals(&office), deals(&office));
    let relation = json!({ "name": "Client", "targetDatabaseId": clients.id });
    let relation = office.post(&office.owner, &format!("{}/relations", table.path), &relation).data(201);
    let client = clients.put(&office, "Acme");
    let deal = put(&office, &table, "Secret", 1.0, &[stage("opt-new")]);
    put(&office, &table, "Open", 2.0, &[stage("opt-new")]);
    let link = json!({ "add": [client["id"]] });
    office
        .post(&office.owner, &format!("{}/relations/{}", path_of(&deal), relation["id"].as_str().unwrap()), &link)
        .is(200);
    let by_stage = create(&office, &by(&table, "Stage", json!({ "aggregation": sum(&table) })));
    let axes = json!({ "axes": { "x": { "propertyId": relation["id"] } } });
    let by_client = create(&office, &by(&table, "Stage", axes));
    let shown = data(&office, &office.member, &by_client);
    assert_eq!((&shown["points"][0]["key"], &shown["points"][0]["label"]), (&client["id"], &json!("Acme")));
    grant(&office, &clients, &[("user", &office.member.id, "NONE")]);
    let shown = data(&office, &office.member, &by_client);
    assert_eq!(points(&shown), [(json!(null), json!(2))], "the target is hidden");
    office.grant(deal["pageId"].as_str().unwrap(), &[("user", &office.member.id, "NONE")]);
    let shown = data(&office, &office.member, &by_stage);
    assert_eq!(shown["total"], json!({ "value": 2, "count": 1 }));
    assert_eq!(data(&office, &office.owner, &by_stage)["total"]["count"], 2);
}

fn a_chart_whose_property_is_deleted_says_so(engine: Engine) {
    let office = office(engine);
    let table = deals(&office);
    let filter = json!({ "op": "and", "conditions": [{ "propertyId": table.property("Tags"), "op": "is_empty" }] });
    let chart = create(&office, &by(&table, "Stage", json!({ "filter": filter, "aggregation": sum(&table) })));
    for (property, field) in [("Tags", "filter"), ("Worth", "aggregation.propertyId"), ("Stage", "axes.x.propertyId")] {
        office.delete(&office.owner, &format!("{}/properties/{}", table.path, table.property(property))).is(200);
        let answer = office.get(&office.member, &format!("{}/data", path(&chart)));
        let fields: Vec<_> = answer
            .refuses(422, "UNPROCESSABLE_ENTITY")
            .details()
            .iter()
            .map(|detail| detail["field"].clone())
            .collect();
        assert!(fields.contains(&json!(field)), "{fields:?}");
        office.get(&office.member, &format!("{}/image.svg", path(&chart))).refuses(422, "UNPROCESSABLE_ENTITY");
    }
    office.get(&office.member, &path(&chart)).is(200);
    office.patch(&office.owner, &path(&chart), &json!({ "name": "Broken" })).is(200);
    office.patch(&office.owner, &path(&chart), &json!({ "stacked": true })).refuses(422, "UNPROCESSABLE_ENTITY");
}
