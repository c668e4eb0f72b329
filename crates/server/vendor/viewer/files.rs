//! The files of @scalar/api-reference 1.72.1. Written by `update.mjs`.

/// The path of each file, and its content, compressed with brotli.
pub(super) static FILES: &[(&str, &[u8])] = &[
    ("chunks/ScalarTextInput.vue-DHsIHDxq.js", include_bytes!("dist/chunks/ScalarTextInput.vue-DHsIHDxq.js.br")),
    ("chunks/ScalarTooltip.vue-CNHZoZ1d.js", include_bytes!("dist/chunks/ScalarTooltip.vue-CNHZoZ1d.js.br")),
    ("chunks/browser-B6bliBWe.js", include_bytes!("dist/chunks/browser-B6bliBWe.js.br")),
    ("chunks/browser-DMa86Ncd.js", include_bytes!("dist/chunks/browser-DMa86Ncd.js.br")),
    (
        "chunks/for-each-path-item-operation-hnrqHtHZ.js",
        include_bytes!("dist/chunks/for-each-path-item-operation-hnrqHtHZ.js.br"),
    ),
    ("chunks/get-xml-body-example-DiKu2Hy0.js", include_bytes!("dist/chunks/get-xml-body-example-DiKu2Hy0.js.br")),
    (
        "chunks/interface-content-folder.svg-VjXWoHCU.js",
        include_bytes!("dist/chunks/interface-content-folder.svg-VjXWoHCU.js.br"),
    ),
    ("chunks/lib-Bbj21gAy.js", include_bytes!("dist/chunks/lib-Bbj21gAy.js.br")),
    ("chunks/markdown-BZaBS8Vq.js", include_bytes!("dist/chunks/markdown-BZaBS8Vq.js.br")),
    ("chunks/modal-CwQSDtLt.js", include_bytes!("dist/chunks/modal-CwQSDtLt.js.br")),
    ("chunks/parse-html-description-CsOUnLTB.js", include_bytes!("dist/chunks/parse-html-description-CsOUnLTB.js.br")),
    ("chunks/reactivity.esm-bundler-B2YZhGrw.js", include_bytes!("dist/chunks/reactivity.esm-bundler-B2YZhGrw.js.br")),
    ("chunks/rolldown-runtime-DRsSX2IQ.js", include_bytes!("dist/chunks/rolldown-runtime-DRsSX2IQ.js.br")),
    (
        "chunks/runtime-core.esm-bundler-CdMV79He.js",
        include_bytes!("dist/chunks/runtime-core.esm-bundler-CdMV79He.js.br"),
    ),
    ("chunks/vendor-BHxjhjQc.js", include_bytes!("dist/chunks/vendor-BHxjhjQc.js.br")),
    ("chunks/workspace-events-DIQNWgRA.js", include_bytes!("dist/chunks/workspace-events-DIQNWgRA.js.br")),
    ("standalone.esm.js", include_bytes!("dist/standalone.esm.js.br")),
];

/// The files without which the page cannot start. They import nothing else.
pub(super) static FIRST: &[&str] = &[
    "chunks/ScalarTextInput.vue-DHsIHDxq.js",
    "chunks/browser-DMa86Ncd.js",
    "chunks/for-each-path-item-operation-hnrqHtHZ.js",
    "chunks/get-xml-body-example-DiKu2Hy0.js",
    "chunks/interface-content-folder.svg-VjXWoHCU.js",
    "chunks/markdown-BZaBS8Vq.js",
    "chunks/reactivity.esm-bundler-B2YZhGrw.js",
    "chunks/rolldown-runtime-DRsSX2IQ.js",
    "chunks/runtime-core.esm-bundler-CdMV79He.js",
    "chunks/vendor-BHxjhjQc.js",
    "chunks/workspace-events-DIQNWgRA.js",
    "standalone.esm.js",
];
