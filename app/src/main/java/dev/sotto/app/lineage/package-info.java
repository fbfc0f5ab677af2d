/** The ledger as events of OpenLineage; start with {@link dev.sotto.app.lineage.LineageRun}. */
package dev.sotto.app.lineage;
