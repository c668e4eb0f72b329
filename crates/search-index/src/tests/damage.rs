//! An index that cannot be read is made anew.

use super::support::{Everything, HERE, Shelf, With, changes, look, page, progress};
use crate::TextIndex;
use octavo_core_model::cancellation::Cancellation;
use octavo_ports::search::{SearchIndex, UnitChanges};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The files of an index.
fn files(shelf: &Shelf) -> Vec<PathBuf> {
    let folder = fs::read_dir(shelf.folder.path()).unwrap().next().unwrap().unwrap().path();
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect()
}

fn filled() -> Shelf {
    let shelf = Shelf::new();
    let units = (1..200).map(|number| page(number).title("x").block("some words")).collect();
    shelf.index.apply(vec![UnitChanges { progress: Some(progress(4)), ..changes(units) }]).unwrap();
    shelf.index.rest().unwrap();
    shelf
}

#[test]
fn an_index_whose_files_are_gone_or_cut_is_replaced_by_an_empty_one() {
    let harms: [fn(&Path); 2] = [|path| fs::remove_file(path).unwrap(), |path| fs::write(path, "").unwrap()];
    for harm in harms {
        for name in ["meta.json", "term", "idx", "fast", "pos", "store", "fieldnorm"] {
            let shelf = filled();
            let harmed = files(&shelf).into_iter().filter(|path| path.to_string_lossy().ends_with(name));
            harmed.for_each(|path| harm(&path));
            let again = TextIndex::in_folder(shelf.folder.path().to_owned());
            again.open().unwrap();
            let found = again.find(&look("x"), &Everything, &Cancellation::default());
            if found.is_err() {
                again.open().unwrap();
            }
            assert_eq!(again.progress(HERE).unwrap(), None, "{name}: everything is indexed anew");
            again.apply(vec![changes(vec![page(1).title("x")])]).unwrap();
            assert_eq!(again.find(&look("x"), &Everything, &Cancellation::default()).unwrap().total, 1, "{name}");
        }
    }
}

#[test]
fn an_index_of_another_format_is_removed() {
    let shelf = Shelf::new();
    let old = shelf.folder.path().join("format-0");
    fs::create_dir(&old).unwrap();
    fs::write(old.join("meta.json"), "{}").unwrap();
    TextIndex::in_folder(shelf.folder.path().to_owned()).open().unwrap();
    assert!(!old.exists());
}
