/**
 * What a learner needs of a cluster, and what a cluster says of a learner; start with
 * {@link dev.sotto.app.cluster.LearnerDescription}.
 */
package dev.sotto.app.cluster;
