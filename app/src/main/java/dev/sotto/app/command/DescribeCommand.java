package dev.sotto.app.command;

import dev.sotto.app.cluster.LearnerDescription;
import dev.sotto.app.cluster.StrimziResources;
import dev.sotto.config.ConfigException;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.topology.settings.ApplicationKeys;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a configuration will be on a cluster: drawing, topics, settings, permissions. */
@Command(
    name = "describe",
    description = {
      "Print what a learner will be on a cluster: its topology, every topic, the Streams settings"
          + " in force, and the permissions that it and readers of its output need.",
      "Asks no broker, and needs no key."
    })
public final class DescribeCommand implements Callable<Integer> {
  private static final String SERVERS = ApplicationKeys.BOOTSTRAP_SERVERS.name();

  @Spec
  private CommandSpec spec;

  @Mixin
  private LearnerOptions options;

  @Option(
      names = "--learner-principal",
      paramLabel = "PRINCIPAL",
      defaultValue = "User:sotto",
      description = "Who runs the learner. Default: ${DEFAULT-VALUE}.")
  private String learner;

  @Option(
      names = "--reader-principal",
      paramLabel = "PRINCIPAL",
      defaultValue = "User:reader",
      description = "Who reads what is published. Default: ${DEFAULT-VALUE}.")
  private String reader;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Option(
      names = "--strimzi",
      paramLabel = "CLUSTER",
      description = "Print topics and permissions as resources of Strimzi for this Kafka cluster"
          + " instead: KafkaTopic and KafkaUser, in YAML (docs/containers.md).")
  private String cluster;

  @Option(
      names = "--event-partitions",
      paramLabel = "N",
      description = "How many partitions the event topic has, for --strimzi.")
  private Integer partitions;

  @Override
  public Integer call() {
    requireOneForm();
    SottoConfig config = load(options.source());
    String servers = config.service().bootstrapServers();
    LearnerDescription description =
        new LearnerDescription(config, servers == null ? "HOST:PORT" : servers, learner, reader);
    PrintWriter out = spec.commandLine().getOut();
    if (cluster != null) {
      out.print(strimzi(config));
    } else if (json) {
      out.println(JsonRenderer.of(description.describe()));
    } else {
      out.print(TextRenderer.of(description.describe()));
    }
    out.flush();
    return ExitCode.OK.code();
  }

  private String strimzi(SottoConfig config) {
    try {
      return new StrimziResources(config, cluster, partitions, learner, reader).describe();
    } catch (IllegalArgumentException unfit) {
      throw LearnerOptions.misused(unfit.getMessage());
    }
  }

  private void requireOneForm() {
    if (cluster != null && json) {
      throw LearnerOptions.misused("--strimzi prints YAML: leave out --json");
    }
    if ((cluster == null) != (partitions == null)) {
      throw LearnerOptions.misused("--strimzi CLUSTER and --event-partitions N need each other:"
          + " topics have as many partitions as the event topic");
    }
    if (partitions != null && partitions < 1) {
      throw LearnerOptions.misused("--event-partitions must be at least 1, but was " + partitions);
    }
    if (cluster != null && !cluster.matches("[a-z0-9]([a-z0-9-]*[a-z0-9])?")) {
      throw LearnerOptions.misused(
          "--strimzi must be the name of a Kafka resource, but was " + cluster);
    }
  }

  /** Where no brokers are named, they are yet to be started. */
  private static SottoConfig load(ConfigSource source) {
    try {
      return ConfigWithoutKeys.load(source);
    } catch (ConfigException failure) {
      boolean nameless = failure.errors().stream().anyMatch(each -> each.key().equals(SERVERS));
      if (nameless && source.brokers().servers() == null) {
        return ConfigWithoutKeys.load(source.withEmbedded(true));
      }
      throw failure;
    }
  }
}
