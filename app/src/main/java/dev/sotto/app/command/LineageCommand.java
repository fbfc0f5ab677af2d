package dev.sotto.app.command;

import dev.sotto.app.lineage.LineageNames;
import dev.sotto.app.lineage.LineageRun;
import dev.sotto.app.lineage.LineageTarget;
import dev.sotto.config.SottoConfig;
import dev.sotto.topology.admin.AdminRequests;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.TopicRequirement;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Hands the ledger on as events of OpenLineage. */
@Command(
    name = "lineage",
    description = {
      "Hand the ledger on as events of OpenLineage: which offsets went into each version, and what"
          + " it has cost. To a file, an HTTP endpoint or a topic (docs/lineage.md).",
      "Goes on where it stopped. Holds what the ledger publishes, and nothing else."
    })
public final class LineageCommand implements Callable<Integer> {
  @Spec
  private CommandSpec spec;

  @Mixin
  private LearnerOptions cluster;

  @Option(
      names = "--to",
      required = true,
      paramLabel = "FILE|URL|topic:NAME",
      description = "A file that grows by a line for each event, a URL that takes each in a POST,"
          + " or a topic that is there.")
  private String to;

  @Option(
      names = "--follow",
      description = "Go on with what comes, until a signal ends it; wait where the URL or the topic"
          + " takes nothing.")
  private boolean follow;

  @Option(
      names = "--position",
      paramLabel = "FILE",
      description = "For a URL: where it is kept what has been sent.")
  private Path position;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "For a URL: a file with the token that is sent (Authorization: Bearer ...).")
  private Path tokenFile;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      defaultValue = "sotto",
      description = "The namespace of jobs. Default: ${DEFAULT-VALUE}.")
  private String namespace;

  @Override
  public Integer call() {
    LineageTarget target = new LineageTarget(to, Optional.ofNullable(position), token());
    SottoConfig config = ConfigWithoutKeys.load(cluster.source());
    target.requireNone(taken(config));
    Map<String, String> clients = cluster.clients();
    LineageNames names = names(config.learner(), clients.get("bootstrap.servers"));
    long entries = LineageRun.run(clients, names, target, follow, this::pause);
    PrintWriter errors = spec.commandLine().getErr();
    errors.println("handed on " + entries + (entries == 1 ? " entry" : " entries") + " of "
        + names.ledger() + " to " + target);
    errors.flush();
    return ExitCode.OK.code();
  }

  private Optional<String> token() {
    try {
      return tokenFile == null ? Optional.empty() : Optional.of(BearerToken.read(tokenFile));
    } catch (IOException unreadable) {
      throw new SottoException(FailureKind.USAGE, unreadable.getMessage(), unreadable);
    }
  }

  private LineageNames names(LearnerSettings learner, String servers) {
    String version = getClass().getPackage().getImplementationVersion();
    return new LineageNames(
        namespace,
        learner.app(),
        "kafka://" + servers.split(",")[0].strip(),
        learner.eventTopic(),
        learner
            .labels()
            .map(labels -> List.of(learner.sourceTopic(), labels.topic()))
            .orElse(List.of()),
        version == null ? "unpackaged" : version);
  }

  private static Set<String> taken(SottoConfig config) {
    Set<String> all = new HashSet<>(Set.of(Names.aliases(config.learner().app())));
    Deployment.of(config.learner(), config.service()).everyTopic().stream()
        .map(TopicRequirement::topic)
        .forEach(all::add);
    return all;
  }

  private void pause(TransientException failed, long millis) {
    PrintWriter errors = spec.commandLine().getErr();
    errors.println("waiting: " + failed.getMessage());
    errors.flush();
    AdminRequests.pause(millis);
  }
}
