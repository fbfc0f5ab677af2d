/**
 * Published records as ordinary Connect records, so that any sink can store them: {@link
 * dev.sotto.connectors.record.PublishedRecordConverter} makes flat structs of them, {@link
 * dev.sotto.connectors.record.PublishedVersionKey} gives each its key.
 */
package dev.sotto.connectors.record;
