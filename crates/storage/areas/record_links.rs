//! Links between records. A link is one row, which both sides of its relation read.

use super::{
    Scope,
    dialect::{self, ListType, ROWS_AT_ONCE, among, list, one_of},
};
use crate::{
    prepared::{Columns, Prepare},
    rows::records::RecordLinkRow,
    schema::record_links,
    stored::{AFTER_EVERY_ID, Stored},
};
use diesel::{
    dsl::count_star,
    prelude::*,
    sql_query,
    sql_types::{BigInt, Text},
};
use octavo_core_model::{
    Timestamp,
    id::{PropertyId, RecordId, WorkspaceId},
    record::RecordLink,
};
use octavo_ports::{
    record_links::{LinkSide, LinkingRecord, RecordLinkReads, RecordLinks},
    store::StoreResult,
};
use octavo_storage_macros::area;

/// The links of a relation.
macro_rules! links_of {
    ($workspace:expr, $property:expr) => {
        record_links::table
            .filter(record_links::workspace_id.eq(Stored($workspace)))
            .filter(record_links::property_id.eq(Stored($property)))
    };
}

/// The column of the records on a side, and the column of their order.
const fn columns(side: LinkSide) -> (&'static str, &'static str) {
    if side.is_reverse { ("target_id", "target_order") } else { ("source_id", "source_order") }
}

const COLUMNS: &str = "workspace_id, property_id, source_id, target_id, source_order, target_order";

type LinkColumns = (Text, Text, Text, Text, BigInt, BigInt);

fn links(rows: Vec<RecordLinkRow>) -> Vec<RecordLink> {
    rows.into_iter().map(RecordLink::from).collect()
}

#[area]
impl RecordLinkReads for Scope {
    async fn list(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        records: &[RecordId],
    ) -> StoreResult<Vec<RecordLink>> {
        let (own, order) = columns(side);
        let found = sql_query(format!(
            "SELECT {COLUMNS} FROM record_links WHERE workspace_id = $1 AND property_id = $2 AND {own} {} \
             ORDER BY {own}, {order}, source_id, target_id",
            among(3)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(side.property))
        .bind::<ListType, _>(list(records.iter().copied()));
        Ok(links(self.all(found.columns::<LinkColumns>().prepared()).await?))
    }

    async fn list_first(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        records: &[RecordId],
        most: u32,
    ) -> StoreResult<Vec<RecordLink>> {
        let (own, order) = columns(side);
        let found = sql_query(format!(
            "SELECT {COLUMNS} FROM ( \
                 SELECT {COLUMNS}, ROW_NUMBER() OVER (PARTITION BY {own} ORDER BY {order}, source_id, target_id) AS place \
                 FROM record_links WHERE workspace_id = $1 AND property_id = $2 AND {own} {}) AS numbered \
             WHERE place <= {most} ORDER BY {own}, {order}, source_id, target_id",
            among(3)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(side.property))
        .bind::<ListType, _>(list(records.iter().copied()));
        Ok(links(self.all(found.columns::<LinkColumns>().prepared()).await?))
    }

    async fn list_between(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        (first, last): (RecordId, RecordId),
    ) -> StoreResult<Vec<RecordLink>> {
        let (own, order) = columns(side);
        let found = sql_query(format!(
            "SELECT {COLUMNS} FROM record_links WHERE workspace_id = $1 AND property_id = $2 \
             AND {own} >= $3 AND {own} <= $4 ORDER BY {own}, {order}, source_id, target_id"
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(side.property))
        .bind::<Text, _>(Stored(first))
        .bind::<Text, _>(Stored(last));
        Ok(links(self.all(found.columns::<LinkColumns>().prepared()).await?))
    }

    async fn list_page(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        record: RecordId,
        after: Option<(i64, RecordId)>,
        limit: u32,
    ) -> StoreResult<Vec<RecordLink>> {
        let (own, order) = columns(side);
        let other = if side.is_reverse { "source_id" } else { "target_id" };
        let (after, id) = after.map_or((i64::MIN, String::new()), |(order, id)| (order, id.to_string()));
        let found = sql_query(format!(
            "SELECT {COLUMNS} FROM record_links WHERE workspace_id = $1 AND property_id = $2 AND {own} = $3 \
             AND {order} >= $4 AND ({order} > $4 OR {other} > $5) ORDER BY {order}, {other} LIMIT {limit}"
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(side.property))
        .bind::<Text, _>(Stored(record))
        .bind::<BigInt, _>(after)
        .bind::<Text, _>(id);
        Ok(links(self.all(found.columns::<LinkColumns>().prepared()).await?))
    }

    async fn count(&mut self, workspace: WorkspaceId, property: PropertyId) -> StoreResult<u64> {
        let count = links_of!(workspace, property).select(count_star());
        Ok(self.one::<i64, _>(count).await?.unsigned_abs())
    }

    async fn count_linked(&mut self, workspace: WorkspaceId, side: LinkSide) -> StoreResult<u64> {
        let (own, _) = columns(side);
        let count = sql_query(format!(
            "SELECT COUNT(DISTINCT {own}) FROM record_links WHERE workspace_id = $1 AND property_id = $2"
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(side.property));
        Ok(self.one::<i64, _>(count.columns::<BigInt>().prepared()).await?.unsigned_abs())
    }

    async fn count_of(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        records: &[RecordId],
    ) -> StoreResult<Vec<(RecordId, u64)>> {
        let (own, _) = columns(side);
        let counts = sql_query(format!(
            "SELECT {own}, count(*) FROM record_links WHERE workspace_id = $1 AND property_id = $2 AND {own} {} \
             GROUP BY {own}",
            among(3)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(side.property))
        .bind::<ListType, _>(list(records.iter().copied()));
        let counts = self.all::<(Stored<RecordId>, i64), _>(counts.columns::<(Text, BigInt)>().prepared()).await?;
        Ok(counts.into_iter().map(|(id, count)| (id.0, count.unsigned_abs())).collect())
    }

    async fn list_linked_twice(
        &mut self,
        workspace: WorkspaceId,
        side: LinkSide,
        limit: u32,
    ) -> StoreResult<Vec<RecordId>> {
        let (own, _) = columns(side);
        let found = sql_query(format!(
            "SELECT {own} FROM record_links WHERE workspace_id = $1 AND property_id = $2 \
             GROUP BY {own} HAVING count(*) > 1 ORDER BY {own} LIMIT {limit}"
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(side.property));
        let found = self.all::<Stored<RecordId>, _>(found.columns::<Text>().prepared()).await?;
        Ok(found.into_iter().map(|id| id.0).collect())
    }

    async fn list_linking(
        &mut self,
        workspace: WorkspaceId,
        record: RecordId,
        after: Option<(PropertyId, RecordId)>,
        limit: u32,
    ) -> StoreResult<Vec<(PropertyId, RecordLink)>> {
        let (property, source) = after
            .map_or((AFTER_EVERY_ID.to_owned(), AFTER_EVERY_ID.to_owned()), |(property, source)| {
                (property.to_string(), source.to_string())
            });
        // Compared as one, so that the index finds the place within a property as well: it can have any number of links.
        let found = sql_query(format!(
            "SELECT {COLUMNS} FROM record_links WHERE workspace_id = $1 AND target_id = $2 \
             AND (property_id, source_id) < ($3, $4) ORDER BY property_id DESC, source_id DESC LIMIT {limit}"
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(record))
        .bind::<Text, _>(property)
        .bind::<Text, _>(source)
        .columns::<LinkColumns>()
        .prepared();
        let found = self.all::<RecordLinkRow, _>(found).await?.into_iter();
        Ok(found.map(|row| (row.property(), row.into())).collect())
    }

    async fn list_linking_records(
        &mut self,
        workspace: WorkspaceId,
        record: RecordId,
        visible_on_both: &[PropertyId],
        after: Option<LinkingRecord>,
        limit: u32,
    ) -> StoreResult<Vec<LinkingRecord>> {
        let (time, id) =
            after.map_or((i64::MAX, String::new()), |after| (after.linked_at.millis(), after.record.to_string()));
        let millis = format!("MAX(placed / {})", RecordLink::PLACES_IN_A_MILLISECOND);
        let found = sql_query(format!(
            "SELECT other, {millis} FROM ( \
                 SELECT source_id AS other, target_order AS placed FROM record_links \
                 WHERE workspace_id = $1 AND target_id = $2 \
                 UNION ALL \
                 SELECT target_id AS other, source_order AS placed FROM record_links \
                 WHERE workspace_id = $1 AND source_id = $2 AND property_id {}) AS linking \
             GROUP BY other HAVING {millis} < $4 OR ({millis} = $4 AND other < $5) \
             ORDER BY 2 DESC, 1 DESC LIMIT {limit}",
            among(3)
        ))
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(record))
        .bind::<ListType, _>(list(visible_on_both.iter().copied()))
        .bind::<BigInt, _>(time)
        .bind::<Text, _>(id)
        .columns::<(Text, BigInt)>()
        .prepared();
        let found = self.all::<(Stored<RecordId>, i64), _>(found).await?.into_iter();
        let linking = |(id, millis): (Stored<RecordId>, _)| LinkingRecord {
            record: id.0,
            linked_at: Timestamp::from_millis(millis),
        };
        Ok(found.map(linking).collect())
    }
}

#[area]
impl RecordLinks for Scope {
    async fn insert(&mut self, workspace: WorkspaceId, property: PropertyId, links: &[RecordLink]) -> StoreResult<u64> {
        let mut written = 0;
        for links in links.chunks(ROWS_AT_ONCE) {
            let rows = links.iter().map(|link| RecordLinkRow::new(workspace, property, *link)).collect();
            let answer = dialect::insert_record_links(self.conn().await?, rows).await;
            written += self.checked(answer)? as u64;
        }
        Ok(written)
    }

    async fn remove(
        &mut self,
        workspace: WorkspaceId,
        property: PropertyId,
        source: RecordId,
        targets: &[RecordId],
    ) -> StoreResult<u64> {
        let found = links_of!(workspace, property)
            .filter(record_links::source_id.eq(Stored(source)))
            .filter(one_of!(record_links::target_id, targets.iter().copied().map(Stored)));
        Ok(self.execute(diesel::delete(found)).await? as u64)
    }

    async fn remove_of_records(&mut self, workspace: WorkspaceId, records: &[RecordId]) -> StoreResult<()> {
        let sources = record_links::table
            .filter(record_links::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(record_links::source_id, records.iter().copied().map(Stored)));
        self.execute(diesel::delete(sources)).await?;
        let targets = record_links::table
            .filter(record_links::workspace_id.eq(Stored(workspace)))
            .filter(one_of!(record_links::target_id, records.iter().copied().map(Stored)));
        self.execute(diesel::delete(targets)).await.map(drop)
    }

    async fn remove_of_property(
        &mut self,
        workspace: WorkspaceId,
        property: PropertyId,
        limit: u32,
    ) -> StoreResult<u64> {
        let delete = sql_query(
            "WITH picked AS MATERIALIZED (SELECT source_id, target_id FROM record_links \
                 WHERE workspace_id = $1 AND property_id = $2 LIMIT $3) \
             DELETE FROM record_links WHERE workspace_id = $1 AND property_id = $2 \
                 AND (source_id, target_id) IN (SELECT source_id, target_id FROM picked)",
        )
        .bind::<Text, _>(Stored(workspace))
        .bind::<Text, _>(Stored(property))
        .bind::<BigInt, _>(i64::from(limit));
        Ok(self.execute(delete.prepared()).await? as u64)
    }
}
