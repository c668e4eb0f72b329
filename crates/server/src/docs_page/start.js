window.addEventListener("load", () => {
  window.description = SwaggerUIBundle({
    url: "docs/openapi.yaml",
    dom_id: "#description",
    deepLinking: true,
    displayRequestDuration: true,
    docExpansion: "list",
    // Nothing is asked of anybody else.
    validatorUrl: null,
  });
});
