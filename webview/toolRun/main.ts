import "./toolRun.css";
import { HostChannel } from "../hostChannel.ts";
import { pageRoot } from "../root.ts";
import { registerToolkit } from "../toolkit.ts";
import { ToolRunPage } from "./page.ts";

registerToolkit();
new ToolRunPage(pageRoot(), new HostChannel());
