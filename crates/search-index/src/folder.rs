//! The folder of the index.

use crate::{
    Failure,
    schema::{FORMAT, Fields},
    tokenizer::{self, WordTokenizer},
};
use std::{
    fs::{self, DirBuilder},
    io,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};
use tantivy::{
    Index, IndexSettings, TantivyError,
    directory::{MmapDirectory, error::OpenReadError},
    schema::Schema,
    store::Compressor,
};

/// The subfolder of an index of this format.
fn current(folder: &Path) -> PathBuf {
    folder.join(format!("format-{FORMAT}"))
}

/// Makes a folder that nobody else on the machine can look into: the names of words say much about texts.
fn create(folder: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

/// Opens the index in a folder, and makes it if there is none. An index of another format is removed.
pub(crate) fn open(folder: &Path) -> crate::Result<(Index, Fields)> {
    let current = current(folder);
    create(&current)?;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path != current && path.is_dir() {
            fs::remove_dir_all(path)?;
        }
    }
    let (schema, fields) = Fields::schema();
    match open_in(&current, schema.clone()) {
        Err(failure) if is_damage(&failure) => {
            tracing::warn!(%failure, "the search index is damaged and will be made anew");
            remove(folder)?;
            create(&current)?;
            Ok((open_in(&current, schema)?, fields))
        }
        opened => Ok((opened?, fields)),
    }
}

/// Opens the index in a folder without changing anything.
pub(crate) fn open_to_read(folder: &Path) -> crate::Result<(Index, Fields)> {
    let (schema, fields) = Fields::schema();
    Ok((open_in(&current(folder), schema)?, fields))
}

/// Removes the index in a folder.
pub(crate) fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(current(folder)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Puts the index of another folder in the place of the one in this folder.
pub(crate) fn replace(folder: &Path, by: &Path) -> io::Result<()> {
    remove(folder)?;
    create(folder)?;
    fs::rename(current(by), current(folder))?;
    fs::remove_dir_all(by)
}

fn open_in(folder: &Path, schema: Schema) -> crate::Result<Index> {
    let directory = MmapDirectory::open(folder).map_err(TantivyError::from)?;
    let settings = IndexSettings {
        docstore_compression: Compressor::None,
        docstore_compress_dedicated_thread: false,
        ..IndexSettings::default()
    };
    let index = if Index::exists(&directory).map_err(TantivyError::from)? {
        let index = Index::open(directory)?;
        if index.schema() != schema {
            return Err(TantivyError::SchemaError("another schema".to_owned()).into());
        }
        index
    } else {
        Index::builder().schema(schema).settings(settings).open_or_create(directory)?
    };
    index.tokenizers().register(tokenizer::NAME, WordTokenizer::default());
    Ok(index)
}

/// Whether a failure means that the files of the index cannot be used any more, so that only a new index helps.
pub(crate) fn is_damage(failure: &Failure) -> bool {
    match failure {
        Failure::Panicked => true,
        Failure::Io(error) => is_damaged_file(error),
        Failure::Index(error) => match error {
            TantivyError::DataCorruption(_)
            | TantivyError::IncompatibleIndex(_)
            | TantivyError::SchemaError(_)
            | TantivyError::FieldNotFound(_)
            | TantivyError::DeserializeError(_)
            | TantivyError::InternalError(_)
            | TantivyError::OpenReadError(OpenReadError::FileDoesNotExist(_) | OpenReadError::IncompatibleIndex(_)) => {
                true
            }
            TantivyError::OpenReadError(OpenReadError::IoError { io_error, .. }) => is_damaged_file(io_error),
            TantivyError::IoError(error) => is_damaged_file(error),
            _ => false,
        },
        Failure::Cancelled | Failure::Closed => false,
    }
}

fn is_damaged_file(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof | io::ErrorKind::NotFound)
}
