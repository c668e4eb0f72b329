//! Mail as files.

use super::{job, letterhead, verification};
use crate::{FileMailer, Letterhead, MailUrl, mailer};
use octavo_core_model::id::JobId;
use octavo_ports::mailer::{MailFailure, Mailer};
use std::{fs, path::Path};

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn each_job_leaves_one_file_however_often_it_runs() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("deep/mail");
    let mailer = mailer(format!("file:{}", folder.display()).parse::<MailUrl>().unwrap(), letterhead());
    let later = JobId::new(1_800_000_000_001, [0; 10]);
    mailer.send(later, &verification("Eve")).await.unwrap();
    mailer.send(job(), &verification("Ada")).await.unwrap();
    let first = fs::read_to_string(folder.join(format!("{}.eml", job()))).unwrap();
    let (again, twice) = (verification("Ada"), verification("Ada"));
    let (one, two) = tokio::join!(mailer.send(job(), &again), mailer.send(job(), &twice));
    assert_eq!((one, two), (Ok(()), Ok(())));

    assert_eq!(files(&folder), [format!("{}.eml", job()), format!("{later}.eml")], "in the order of time");
    assert_eq!(fs::read_to_string(folder.join(format!("{}.eml", job()))).unwrap(), first);
    assert!(first.contains("Hello Ada,") && first.ends_with("\r\n"));
}

#[cfg(unix)]
#[tokio::test]
async fn only_the_service_reads_its_letters() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("mail");
    FileMailer::new(folder.clone(), letterhead()).send(job(), &verification("Ada")).await.unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&folder), mode(&folder.join(format!("{}.eml", job())))), (0o700, 0o600));
}

#[tokio::test]
async fn a_folder_that_cannot_be_written_is_tried_again_later() {
    let home = tempfile::tempdir().unwrap();
    let blocked = home.path().join("mail");
    fs::write(&blocked, "a file where the folder should be").unwrap();
    let mailer = FileMailer::new(blocked.clone(), letterhead());
    assert!(!mailer.probe().await);
    match mailer.send(job(), &verification("Ada")).await {
        Err(MailFailure::Later(reason)) => {
            assert!(
                !reason.contains("example.com") && !reason.contains("evt_") && !reason.contains("mail/"),
                "{reason}"
            );
        }
        other => panic!("{other:?}"),
    }
    fs::remove_file(&blocked).unwrap();
    assert!(mailer.probe().await);
    assert_eq!(files(&blocked), [""; 0], "a probe leaves nothing behind");
    mailer.send(job(), &verification("Ada")).await.unwrap();
}

#[tokio::test]
async fn links_lead_to_the_public_origin() {
    let home = tempfile::tempdir().unwrap();
    let letterhead = Letterhead::new("no-reply@localhost", "http://127.0.0.1:8080").unwrap();
    FileMailer::new(home.path().to_owned(), letterhead).send(job(), &verification("Ada")).await.unwrap();
    let message = fs::read_to_string(home.path().join(format!("{}.eml", job()))).unwrap();
    assert!(message.contains(&format!("\r\nhttp://127.0.0.1:8080/verify-email?token={}\r\n", super::TOKEN)));
    assert!(message.contains("Message-ID: <job_") && message.contains("@127.0.0.1>"));
}

#[tokio::test]
async fn links_lead_to_the_pages_of_a_product_that_has_its_own() {
    let home = tempfile::tempdir().unwrap();
    let letterhead = Letterhead::new("no-reply@localhost", "http://127.0.0.1:8080").unwrap();
    let letterhead = letterhead.linking_to("https://product.example").unwrap();
    FileMailer::new(home.path().to_owned(), letterhead).send(job(), &verification("Ada")).await.unwrap();
    let message = fs::read_to_string(home.path().join(format!("{}.eml", job()))).unwrap();
    assert!(message.contains(&format!("\r\nhttps://product.example/verify-email?token={}\r\n", super::TOKEN)));
    assert!(message.contains("@127.0.0.1>"), "the service sends it, not the product");
}
