/** Names of the topics that are published. */
package dev.sotto.serdes.topic;
