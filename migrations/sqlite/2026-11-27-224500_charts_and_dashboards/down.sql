DROP TABLE dashboards;
DROP TABLE charts;
