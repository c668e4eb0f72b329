//! Widgets as JSON.

use super::{Content, Widget, Widgets};
use serde_json::{Value, json};

impl Widgets {
    /// The widgets as they are shown and stored.
    pub fn to_json(&self) -> Value {
        self.as_slice().iter().map(Widget::to_json).collect()
    }
}

impl Widget {
    fn to_json(&self) -> Value {
        let Self { id, content, title, place } = self;
        let mut widget = json!({
            "id": id,
            "type": content.kind(),
            "chartId": null,
            "viewId": null,
            "text": null,
            "title": title,
            "x": place.x(),
            "y": place.y(),
            "w": place.width(),
            "h": place.height(),
        });
        match content {
            Content::Chart(id) => widget["chartId"] = json!(id),
            Content::View(id) => widget["viewId"] = json!(id),
            Content::Text(text) => widget["text"] = json!(text),
        }
        widget
    }
}
