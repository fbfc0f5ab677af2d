package dev.sotto.app.command;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.config.ConfigFailure;
import dev.sotto.app.config.ConfigSource;
import dev.sotto.app.config.SottoConfig;
import dev.sotto.app.operations.Description;
import dev.sotto.topology.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What a configuration will be on a cluster: drawing, topics, settings, permissions. */
@Command(
    name = "describe",
    description = {
      "Print what a learner will be on a cluster: its topology, every topic, the Streams settings in force, and the"
          + " permissions that it and readers of its output need.",
      "Asks no broker, and needs no key."
    })
public final class DescribeCommand implements Callable<Integer> {
  private static final String SERVERS = "bootstrap.servers";

  @Spec
  private CommandSpec spec;

  @Mixin
  private ConfigOptions options;

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

  @ArgGroup
  private Form form = new Form();

  static final class Form {
    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    @Option(names = "--mermaid", description = "Print the topology as a Mermaid flowchart alone.")
    private boolean mermaid;
  }

  @Override
  public Integer call() throws JsonProcessingException {
    SottoConfig config = load(options.source(System.getenv()));
    String servers = config.service().bootstrapServers();
    Description description =
        new Description(config, servers == null ? "HOST:PORT" : servers, learner, reader);
    PrintWriter out = spec.commandLine().getOut();
    if (form.json) {
      out.println(new ObjectMapper().writeValueAsString(description.json()));
    } else {
      out.print(form.mermaid ? description.mermaid() : description.text());
    }
    out.flush();
    return ExitCode.OK.code();
  }

  /** Where no brokers are named, they are yet to be started. */
  private static SottoConfig load(ConfigSource source) {
    try {
      return KeylessConfig.load(source);
    } catch (ConfigFailure failure) {
      boolean nameless = failure.faults().stream().anyMatch(each -> each.key().equals(SERVERS));
      if (nameless && source.bootstrapServers() == null) {
        return KeylessConfig.load(source.withEmbedded(true));
      }
      throw failure;
    }
  }
}
