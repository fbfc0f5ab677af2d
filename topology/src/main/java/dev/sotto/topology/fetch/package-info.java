/**
 * What a consumer takes out of one fetch: records of bounded size, and few enough of them; start
 * with {@link dev.sotto.topology.fetch.BoundedRecords}.
 */
package dev.sotto.topology.fetch;
