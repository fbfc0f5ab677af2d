package dev.sotto.app.command;

import dev.sotto.serdes.avro.SchemaFiles;
import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.topic.PublishedRecords;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.Callable;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the Avro schemas of the public topics, with the bytes that their records begin with. */
@Command(
    name = "schemas",
    description = {
      "List the Avro schemas of the public topics, older ones too, with the ten bytes that a record"
          + " of each begins with.",
      "With --out, write them to files: NAME-HEADER.avsc, and NAME-VERSION-HEADER.avsc for older"
          + " ones."
    })
public final class SchemasCommand implements Callable<Integer> {
  @Option(names = "--out", paramLabel = "FOLDER", description = "Write them there.")
  private Path out;

  @Override
  public Integer call() {
    System.out.printf("%-14s %-8s %s%n", "record", "version", "header");
    for (String name : PublishedRecords.names()) {
      List<Schema> history = SchemaFiles.history(name);
      for (int i = 0; i < history.size(); i++) {
        one(name, String.valueOf(i + 1), history.get(i));
      }
      one(name, "", SchemaFiles.current(name));
    }
    if (out != null) {
      System.err.println("wrote them to " + out);
    }
    return ExitCode.OK.code();
  }

  private void one(String name, String version, Schema schema) {
    String header = HexFormat.of().formatHex(SingleObject.header(schema));
    System.out.printf("%-14s %-8s %s%n", name, version.isEmpty() ? "current" : version, header);
    if (out == null) {
      return;
    }
    Path file =
        out.resolve(name + (version.isEmpty() ? "" : "-" + version) + "-" + header + ".avsc");
    try {
      Files.createDirectories(out);
      Files.writeString(file, SchemaFormatter.format("json/pretty", schema) + "\n");
    } catch (IOException unwritable) {
      throw new SottoException(
          FailureKind.USAGE,
          "--out must be a folder that can be written, but " + file + " cannot: "
              + unwritable.getMessage(),
          unwritable);
    }
  }
}
