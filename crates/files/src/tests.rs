//! The guarantees of every blob store.
#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use super::ObjectBlobs;
use octavo_core_model::{
    id::{JobId, WorkspaceId},
    job::JobOwner,
};
use octavo_ports::blobs::{BlobFolder, Blobs};
use std::os::unix::fs::PermissionsExt;
use tempfile::TempDir;

fn folder(number: u8) -> BlobFolder {
    BlobFolder::Job(JobOwner::Workspace(WorkspaceId::new(1, [1; 10])), JobId::new(2, [number; 10]))
}

async fn keeps_its_promises(blobs: &ObjectBlobs) {
    assert_eq!(blobs.read(folder(1), 0, 0..1).await, Ok(None));
    blobs.remove(folder(1)).await.unwrap();
    for (number, piece, bytes) in [(1, 0, "first"), (1, 1, "second"), (2, 0, "other"), (1, 0, "again")] {
        blobs.put(folder(number), piece, bytes.as_bytes().to_vec()).await.unwrap();
    }
    let read = async |number, piece, part| {
        let found: Option<Vec<u8>> = blobs.read(folder(number), piece, part).await.unwrap();
        found.map(|bytes| String::from_utf8(bytes).unwrap())
    };
    assert_eq!(read(1, 0, 0..5).await.as_deref(), Some("again"), "the later one counts");
    assert_eq!(read(1, 1, 1..4).await.as_deref(), Some("eco"));
    assert_eq!(read(1, 2, 0..1).await, None);
    blobs.remove(folder(1)).await.unwrap();
    for piece in 0..2 {
        assert_eq!(read(1, piece, 0..1).await, None);
    }
    assert_eq!(read(2, 0, 0..5).await.as_deref(), Some("other"));
}

#[tokio::test]
async fn scratch_bytes_are_read_while_they_are_written_and_leave_nothing() {
    let home = TempDir::new().unwrap();
    let blobs = ObjectBlobs::in_folder(home.path()).unwrap();
    let (scratch, other) = (blobs.scratch().unwrap(), blobs.scratch().unwrap());
    scratch.append(b"first ".to_vec()).await.unwrap();
    other.append(b"other".to_vec()).await.unwrap();
    assert_eq!(scratch.read(0..5).await.unwrap(), b"first");
    scratch.append(b"second".to_vec()).await.unwrap();
    assert_eq!(scratch.read(2..12).await.unwrap(), b"rst second");
    scratch.read(2..13).await.unwrap_err();
    drop((scratch, other));
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn memory_keeps_bytes() {
    keeps_its_promises(&ObjectBlobs::in_memory()).await;
}

#[tokio::test]
async fn a_folder_keeps_bytes_for_its_owner_alone() {
    let home = TempDir::new().unwrap();
    let path = home.path().join("files");
    keeps_its_promises(&ObjectBlobs::in_folder(&path).unwrap()).await;
    assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    let again = ObjectBlobs::in_folder(&path).unwrap();
    assert!(again.read(folder(2), 0, 0..5).await.unwrap().is_some(), "another process finds them");
    again.remove(folder(2)).await.unwrap();
    let left: Vec<_> = std::fs::read_dir(&path).unwrap().collect();
    assert!(left.is_empty(), "no empty folders stay behind: {left:?}");
}
