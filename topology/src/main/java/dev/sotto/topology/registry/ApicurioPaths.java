package dev.sotto.topology.registry;

import dev.sotto.serdes.registry.RegisteredSchema;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaId.By;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Asks by Apicurio's own paths, of its versions 2 and 3, which know {@code globalId}: the text of a
 * schema, and then to what it refers.
 *
 * @param third whether they are those of version 3
 */
record ApicurioPaths(boolean third, Source source) {
  private static final Pattern ADDRESS = Pattern.compile(".*/apis/registry/v([23])/*");

  /** What a registry answers to a path; empty where it has nothing there. */
  @FunctionalInterface
  interface Source {
    Optional<BoundedBody.Text> get(String path) throws IOException, InterruptedException;
  }

  /** Whether an address is that of Apicurio's own paths. */
  static boolean areAt(URI url) {
    return ADDRESS.matcher(url.getPath()).matches();
  }

  static ApicurioPaths at(URI url, Source source) {
    Matcher address = ADDRESS.matcher(url.getPath());
    return new ApicurioPaths(address.matches() && address.group(1).equals("3"), source);
  }

  /** What is under an id. */
  Optional<RegisteredSchema> schema(SchemaId id) throws IOException, InterruptedException {
    Optional<BoundedBody.Text> text = source.get(id.path());
    if (text.isEmpty()) {
      return Optional.empty();
    }
    if (text.get().isCut()) {
      return Optional.of(RegisteredSchema.unusable(id, RegistryClient.TOO_LONG));
    }
    try {
      String answer = answer(text.get(), id.path());
      return Optional.of(RegisteredSchema.answer(id, answer, this::version));
    } catch (IllegalArgumentException none) {
      throw new IOException("it answered no schema, since " + none.getMessage(), none);
    }
  }

  /** The newest under the name of an artifact of no group. */
  Optional<RegisteredSchema> newest(String artifact) throws IOException, InterruptedException {
    String path = "/groups/" + RegisteredSchema.apicurioSubject(artifact)
        + (third ? "/versions/branch=latest" : "/meta");
    Optional<BoundedBody.Text> about = source.get(path);
    int id = about.isEmpty() ? 0 : RegisteredSchema.globalIdOf(about.get().body());
    return id == 0 ? Optional.empty() : schema(SchemaId.of(By.GLOBAL_ID, id));
  }

  private Optional<String> version(String artifact, String version)
      throws IOException, InterruptedException {
    String path =
        "/groups/" + artifact + "/versions/" + URLEncoder.encode(version, StandardCharsets.UTF_8);
    Optional<BoundedBody.Text> text = source.get(path + (third ? "/content" : ""));
    return text.isEmpty() ? Optional.empty() : Optional.of(answer(text.get(), path));
  }

  private String answer(BoundedBody.Text text, String path)
      throws IOException, InterruptedException {
    Optional<BoundedBody.Text> references = source.get(path + "/references");
    if (references.isEmpty() || references.get().isCut() || text.isCut()) {
      throw new IOException("it does not answer to what a schema refers");
    }
    return RegisteredSchema.ofApicurio(text.body(), references.get().body());
  }
}
