/**
 * Health and metrics of a running learner over HTTP. Start with
 * {@link dev.sotto.app.http.HttpEndpoint}.
 */
package dev.sotto.app.http;
