/** Topics, start offsets and transactions on a cluster, through its Admin client; start with {@link
 * dev.sotto.topology.admin.TopicSetup}. */
package dev.sotto.topology.admin;
