package dev.sotto.app.preflight;

import dev.sotto.config.SottoConfig;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.admin.StartChecks;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.StartFinding;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ServiceSettings;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the checks of one preflight share: what is configured, what the cluster says, and where
 * findings go.
 *
 * @param outage for how long the learner may be down without losing records
 */
record PreflightContext(
    SottoConfig config,
    Deployment deployment,
    ClusterInspector cluster,
    PreflightFindings findings,
    Duration outage) {
  LearnerSettings settings() {
    return config.learner();
  }

  ServiceSettings service() {
    return config.service();
  }

  String app() {
    return settings().app();
  }

  String servers() {
    return service().bootstrapServers();
  }

  void ok(String subject, String found) {
    findings.ok(subject, found);
  }

  void note(String subject, String found) {
    findings.note(subject, found);
  }

  void warning(String subject, String found, String needed, String fix) {
    findings.warning(subject, found, needed, fix);
  }

  void fault(String subject, String found, String needed, String fix) {
    findings.fault(subject, found, needed, fix);
  }

  /** What a start looks at as well. */
  StartChecks checks() {
    return new StartChecks(settings(), servers(), cluster);
  }

  /** Adds what a start looks at. */
  void add(StartFinding finding) {
    if (finding.isFault()) {
      fault(finding.subject(), finding.found(), finding.needed(), finding.fix());
    } else {
      ok(finding.subject(), finding.found());
    }
  }

  void addAll(List<StartFinding> all) {
    all.forEach(this::add);
  }

  /** Runs a check; where the cluster does not answer or does not allow it, that is the finding. */
  void check(String subject, Runnable check) {
    try {
      check.run();
    } catch (SottoException failure) {
      String fix = failure.kind() == FailureKind.FORBIDDEN
          ? "grant what ./sotto describe lists under permissions"
          : "see the message";
      fault(subject, failure.getMessage(), "an answer", fix);
    }
  }

  /** How many partitions the event topic has; 0 where it is missing, or must not be seen. */
  int eventPartitions() {
    return partitions(deployment.events().topic());
  }

  int partitions(String topic) {
    return cluster.visible(topic).map(each -> each.partitions().size()).orElse(0);
  }

  String topicSetting(String topic, String name) {
    return cluster.topicSetting(topic, name);
  }

  OptionalLong brokerNumber(String name) {
    return cluster.brokerNumber(name);
  }

  /** The command that alters a topic's setting. */
  String alter(String topic, String setting) {
    return StartChecks.alter(servers(), topic, setting);
  }
}
