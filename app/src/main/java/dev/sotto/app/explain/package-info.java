/** Which round a record went into; start with {@link dev.sotto.app.explain.RecordExplainer}. */
package dev.sotto.app.explain;
