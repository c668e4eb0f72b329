//! Mail as files in a folder or through SMTP.
