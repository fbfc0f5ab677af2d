package dev.sotto.app.command;

import dev.sotto.app.init.EventSource;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.avro.Schema;

/** Schemas that a command is given. */
final class SchemaFile {
  private static final Pattern IMPORTS =
      Pattern.compile("\\bimport\\s+(?:public\\s+|weak\\s+)?\"([^\"]+)\"");
  private static final Pattern REFERENCES = Pattern.compile("\"\\$ref\"\\s*:\\s*\"([^\"#]+)");

  private SchemaFile() {}

  /**
   * The schema in a file of a kind that its name tells, with the files beside it to which it
   * refers.
   *
   * @throws SottoException where it cannot be read
   */
  static WriterSchema writer(Path file) {
    WriterSchema.Kind kind = EventSource.kind(file);
    if (kind == WriterSchema.Kind.AVRO) {
      return new WriterSchema.AvroSchema(read(file));
    }
    try {
      String text = Files.readString(file);
      Map<String, String> beside = new LinkedHashMap<>();
      collect(kind == WriterSchema.Kind.PROTOBUF ? IMPORTS : REFERENCES, file, text, beside);
      return WriterSchema.parse(kind, text, beside);
    } catch (IOException | RuntimeException unusable) {
      throw unreadable(file, " as " + kind, unusable);
    }
  }

  private static void collect(Pattern pattern, Path file, String text, Map<String, String> found)
      throws IOException {
    for (MatchResult each : pattern.matcher(text).results().toList()) {
      Path beside = file.resolveSibling(each.group(1));
      if (!found.containsKey(each.group(1)) && Files.isRegularFile(beside)) {
        String there = Files.readString(beside);
        found.put(each.group(1), there);
        collect(pattern, file, there, found);
      }
    }
  }

  /**
   * The Avro schema in a file.
   *
   * @throws SottoException where it cannot be read
   */
  static Schema read(Path file) {
    try {
      return WriterSchema.avroParser().parse(Files.readString(file));
    } catch (IOException | RuntimeException unusable) {
      throw unreadable(file, "", unusable);
    }
  }

  /** A message without the names of classes, and without where a parser reads. */
  private static String forPeople(Exception fault) {
    return String.valueOf(fault.getMessage())
        .lines()
        .findFirst()
        .orElse("")
        .replaceAll("^(?:[a-z0-9]+\\.)+[A-Z]\\w+: ", "")
        .replaceAll(" ?\\(start marker.*", "");
  }

  private static SottoException unreadable(Path file, String as, Exception unusable) {
    return new SottoException(
        FailureKind.USAGE,
        unusable instanceof NoSuchFileException
            ? "there is no schema file " + file + "; --schema must name a file that exists"
            : "the schema " + file + " cannot be read" + as + ": " + forPeople(unusable),
        unusable);
  }
}
