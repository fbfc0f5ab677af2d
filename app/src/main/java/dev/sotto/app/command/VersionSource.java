package dev.sotto.app.command;

import dev.sotto.app.scoring.ModelSource;
import dev.sotto.app.scoring.ModelSource.FileModel;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Where a version of a model is: in a learner's topics, or in a file. A picocli mixin. */
final class VersionSource {
  @Option(
      names = "--bootstrap-server",
      paramLabel = "HOST:PORT",
      description = "The brokers to connect to.")
  private String bootstrapServer;

  @Option(
      names = "--app-id",
      paramLabel = "ID",
      description = "The learner's app.id: its topics begin with it.")
  private String appId;

  @Mixin
  private ClientProperties clientProperties;

  @Option(
      names = "--model-file",
      paramLabel = "FILE",
      description =
          "The model of this file instead (sotto learn, sotto replay --out, sotto export, or sotto"
              + " snapshot --out); needs no broker.")
  private Path file;

  String appId() {
    return appId;
  }

  String bootstrapServer() {
    return bootstrapServer;
  }

  Map<String, String> clients() {
    Map<String, String> clients = clientProperties.read();
    if (bootstrapServer != null) {
      clients.put("bootstrap.servers", bootstrapServer);
    }
    return clients;
  }

  /** The version in the file; empty where it is in topics. */
  Optional<FileModel> inFile() {
    return Optional.ofNullable(file).map(ModelSource::file);
  }

  /** Refuses flags that do not say where the version is. */
  void requireNamed() {
    if (file == null && (appId == null || clients().get("bootstrap.servers") == null)) {
      throw new SottoException(
          FailureKind.USAGE,
          "the model is not named: give --bootstrap-server and --app-id, or --model-file");
    }
  }

  /** Says what the guarantee of a version from a file does not cover. */
  static void tellNotes(FileModel read, PrintWriter errors) {
    read.notes().forEach(each -> errors.println("note: " + each));
    errors.flush();
  }
}
