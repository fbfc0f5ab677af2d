import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Takes native libraries of other systems out of the jars of a folder, in place: an image runs on
 * one. {@code java SlimJars.java FOLDER}.
 */
final class SlimJars {
  private static final Pattern NATIVE = Pattern.compile(".*\\.(so|dll|dylib|jnilib|a)");
  private static final Map<String, List<String>> OURS = Map.of(
      "amd64", List.of("-linux64.so", "linux/amd64/", "Linux/x86_64/"),
      "aarch64", List.of("-linux-aarch64.so", "linux/aarch64/", "Linux/aarch64/", "Linux/arm64/"));

  private SlimJars() {}

  public static void main(String[] arguments) throws IOException {
    List<String> ours = OURS.get(System.getProperty("os.arch"));
    if (ours == null) {
      throw new IllegalStateException(
          "the image is for amd64 or aarch64, but this is " + System.getProperty("os.arch"));
    }
    List<Path> jars;
    try (Stream<Path> all = Files.list(Path.of(arguments[0]))) {
      jars = all.filter(each -> each.toString().endsWith(".jar")).sorted().toList();
    }
    long saved = 0;
    for (Path jar : jars) {
      saved += slim(jar, ours);
    }
    if (saved == 0) {
      throw new IllegalStateException("no native library was found in " + arguments[0]);
    }
    System.out.printf("native libraries of other systems: %d MB less%n", saved >> 20);
  }

  private static boolean stays(ZipEntry entry, List<String> ours) {
    return !NATIVE.matcher(entry.getName()).matches()
        || ours.stream().anyMatch(entry.getName()::contains);
  }

  /** The bytes that the jar is smaller by. */
  private static long slim(Path jar, List<String> ours) throws IOException {
    Path fresh = jar.resolveSibling(jar.getFileName() + ".slim");
    try (ZipFile from = new ZipFile(jar.toFile())) {
      List<? extends ZipEntry> all = from.stream().toList();
      long natives =
          all.stream().filter(each -> NATIVE.matcher(each.getName()).matches()).count();
      if (natives == 0) {
        return 0;
      }
      if (all.stream().filter(each -> stays(each, ours)).count() == all.size() - natives) {
        throw new IllegalStateException(jar + " has no native library for this system");
      }
      try (OutputStream file = Files.newOutputStream(fresh);
          ZipOutputStream to = new ZipOutputStream(file)) {
        for (ZipEntry each : all) {
          if (stays(each, ours)) {
            ZipEntry copy = new ZipEntry(each.getName());
            copy.setTime(each.getTime());
            to.putNextEntry(copy);
            try (InputStream bytes = from.getInputStream(each)) {
              bytes.transferTo(to);
            }
            to.closeEntry();
          }
        }
      }
    }
    long saved = Files.size(jar) - Files.size(fresh);
    Files.move(fresh, jar, StandardCopyOption.REPLACE_EXISTING);
    return saved;
  }
}
